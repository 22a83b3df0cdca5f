// The program that the tests' precompiled headers belong to; nothing runs it.
int main() {
    return 0;
}
