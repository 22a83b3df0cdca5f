"""What the text of an operator calls its operands."""

OPERAND_NAMES = "abcdefgh"
