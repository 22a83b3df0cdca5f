struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual void scale(float by) = 0;
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
    __device__ void scale(float by) override { side *= by; }
};
struct Circle : Shape {
    float radius;
    __device__ explicit Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3.14159f * radius * radius; }
    __device__ void scale(float by) override { radius *= by; }
};
__device__ float twice(float x) { return 2 * x; }
__device__ float half_of(float x) { return x / 2; }
__device__ float (*table[2])(float) = {twice, half_of};
extern "C" __global__ void virtual_call(float* out, int which) {
    Square square(out[0]);
    Circle circle(out[1]);
    Shape* shape = threadIdx.x % 2 ? static_cast<Shape*>(&square) : &circle;
    shape->scale(2);
    out[threadIdx.x] = table[which & 1](shape->area());
}
