#include <cub/device/dispatch/kernels/scan.cuh>
struct user_op { __device__ int operator()(int a,int b) const {return a+b;} };
struct P { struct ActivePolicy { typedef cub::AgentScanPolicy<128,15,int,cub::BLOCK_LOAD_WARP_TRANSPOSE,cub::LOAD_DEFAULT,cub::BLOCK_STORE_WARP_TRANSPOSE,cub::BLOCK_SCAN_WARP_SCANS> ScanPolicyT; }; };
