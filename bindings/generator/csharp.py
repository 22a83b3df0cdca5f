from managed import Library


def source(library: Library) -> str:
    return ""
