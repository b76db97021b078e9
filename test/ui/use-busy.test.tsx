import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useBusy } from '../../renderer/components/use-busy.ts';

let finish = (): void => {};

function Work() {
  const [busy, during] = useBusy();
  const work = () => new Promise<void>((resolve) => (finish = resolve));
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void during(work())}>
        Join
      </button>
      <input aria-label="Words" />
    </>
  );
}

/** A browser takes the focus from a button that becomes disabled; jsdom leaves it there. */
async function press(): Promise<HTMLElement> {
  const button = screen.getByRole('button');
  button.focus();
  await act(async () => button.click());
  button.blur();
  return button;
}

test('a button that was disabled while it worked has the focus again, unless something else took it', async () => {
  render(<Work />);
  const button = await press();
  expect(document.activeElement).toBe(document.body);
  await act(async () => finish());
  expect(document.activeElement).toBe(button);
  await press();
  screen.getByRole('textbox').focus();
  await act(async () => finish());
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});
