import { useEffect, useState } from 'react';

/** Typing takes effect after this pause. */
const TYPING_MS = 180;

/**
 * The text of a box that narrows a list: shown at once, handed on when typing pauses, and following `value` when that
 * is changed elsewhere.
 */
export function useTypedText(
  value: string,
  onChange: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return [text, setText];
}
