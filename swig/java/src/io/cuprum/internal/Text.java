package io.cuprum.internal;

import java.nio.charset.StandardCharsets;

/** Text on its way to and from C: UTF-8 with a NUL at its end. */
public final class Text {
    private Text() {}

    /** Null for null. A NUL inside would silently end the text in C, so it is refused. */
    public static byte[] encode(String text) {
        if (text == null) {
            return null;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] terminated = new byte[bytes.length + 1];
        System.arraycopy(bytes, 0, terminated, 0, bytes.length);
        refuseNul(bytes);
        return terminated;
    }

    /** All texts, contiguous, each with its NUL. */
    static byte[] encodeAll(String[] texts) {
        byte[][] parts = new byte[texts.length][];
        int length = 0;
        for (int i = 0; i < texts.length; ++i) {
            parts[i] = encode(texts[i]);
            length = Math.addExact(length, parts[i].length);
        }
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** The text of bytes without a NUL at their end; null for null. */
    public static String decode(byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static void refuseNul(byte[] bytes) {
        for (int i = 0; i < bytes.length; ++i) {
            if (bytes[i] == 0) {
                throw new IllegalArgumentException("the text has a NUL character (at byte " + i
                        + " of its UTF-8 form), which C takes for its end");
            }
        }
    }
}
