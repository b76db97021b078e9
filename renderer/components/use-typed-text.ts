import { useEffect, useState } from 'react';

/** Milliseconds without typing until the text takes effect. */
const TYPING_MS = 180;

/**
 * Edited text that starts from a stored value, and is reset when that value changes elsewhere, or with null. The change
 * is detected while rendering: an effect would run later, and could discard what was typed before it.
 */
export function useEditedText(stored: string): readonly [string, (text: string | null) => void] {
  const [text, setText] = useState<string | null>(null);
  const [before, setBefore] = useState(stored);
  if (before !== stored) {
    setBefore(stored);
    setText(null);
  }
  return [text ?? stored, setText];
}

/**
 * The text of a filter box: shown at once, passed to `onChange` when typing pauses, and updated when `value` changes
 * elsewhere.
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
