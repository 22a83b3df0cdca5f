"""Whatever Python passes, a call ends with a tuple or an exception. No library is open: nothing reaches one."""

from __future__ import annotations

from conftest import CUDA_LIBRARIES, RunPython

FUZZ = """
import ctypes, gc, importlib, inspect, random, sys
import numpy as np
from cuprum.bindings import driver, runtime

class Odd:
    '''Says that it is many things, and is none.'''
    def __index__(self): raise ValueError('odd')
    def __float__(self): raise ValueError('odd')
    def __getattr__(self, name): raise RuntimeError(name)

class Array:
    __cuda_array_interface__ = {'data': 'nothing'}

def value(depth=0):
    pick = random.randrange(22)
    if pick == 0: return random.choice([0, 1, -1, 2**41, 2**63, 2**64, -2**63 - 1])
    if pick == 1: return random.choice(['', 'text', 'a\\0b', '\\ud800'])
    if pick == 2: return random.choice([b'', b'bytes', bytearray(3), memoryview(b'abcd')[::2]])
    if pick == 3: return random.choice([1.5, float('nan'), 1e300, True, None, ...])
    if pick == 4: return random.choice([np.zeros(3), np.float32(1), np.array(5), np.zeros((2, 2))[:, 0], np.str_('x')])
    if pick == 5: return random.choice([ctypes.c_int(3), ctypes.c_void_p(0), ctypes.c_char_p(b'x'), ctypes.c_int])
    if pick == 6: return random.choice([Odd(), Array(), object(), len, lambda: 0])
    if pick == 7: return random.choice(classes)()
    if pick == 8: return random.choice(classes)
    if pick == 9: return random.choice(list(driver.CUresult))
    if depth < 3 and pick < 15:
        items = [value(depth + 1) for _ in range(random.randrange(4))]
        return random.choice([items, tuple(items), (items, items), dict.fromkeys('ab'), set()])
    return random.choice([0, None, 1])

random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else 20261121)
names = ('driver', 'runtime', 'nvrtc', 'nvjitlink', 'nvvm', 'nvml', 'nccl')
modules = [importlib.import_module('cuprum.bindings.' + name) for name in names]
functions = [f for m in modules for f in (getattr(m, n) for n in dir(m)) if inspect.isbuiltin(f)]
functions = [f for f in functions if f.__name__ != 'last_error_message']
classes = [c for m in modules for c in (getattr(m, n) for n in dir(m)) if inspect.isclass(c) and hasattr(c, 'getPtr')]
returned = refused = 0

def attempt(call, *arguments):
    global returned, refused
    try:
        result = call(*arguments)
        assert call is setattr or isinstance(result, tuple), (call, result)
        returned += 1
    except (TypeError, ValueError, OverflowError, RuntimeError, AttributeError, BufferError, KeyError,
            MemoryError) as error:
        refused += 1

for _ in range(6):
    for function in functions:
        names = list(inspect.signature(function).parameters)
        attempt(function, *[value() for _ in names])
        attempt(function, *[value() for _ in range(random.randrange(12))])
for _ in range(3):
    for cls in classes:
        made = cls()
        for name in dir(cls):
            if inspect.isgetsetdescriptor(getattr(cls, name)):
                attempt(setattr, made, name, value())
        repr(made)
gc.collect()
print(returned > 200, refused > 2000)
"""


def test_nothing_that_is_passed_crashes(run_python: RunPython) -> None:
    result = run_python(
        FUZZ,
        hide=CUDA_LIBRARIES,
        environment={"CUPRUM_DRIVER": "gpu"},
    )
    assert result.stdout == "True True\n"
