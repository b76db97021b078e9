import { useEffect, useState } from 'react';

/** Typing takes effect after this pause. */
const TYPING_MS = 180;

/**
 * A text that is edited over a stored one, and begins again when that is changed elsewhere. This is seen while drawing: an
 * effect comes later, and what was typed before it would be lost.
 */
export function useEditedText(stored: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(stored);
  const [before, setBefore] = useState(stored);
  if (before !== stored) {
    setBefore(stored);
    setText(stored);
  }
  return [text, setText];
}

/**
 * The text of a box that narrows a list: shown at once, handed on when typing pauses, and following `value` when that
 * is changed elsewhere.
 */
export function useTypedText(
  value: string,
  onChange: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useEditedText(value);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return [text, setText];
}
