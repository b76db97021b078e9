import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
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

/** Lines that are approved one after the other and leave the list when it is read again. */
function Lines() {
  const [lines, setLines] = useState(['First', 'Second']);
  return (
    <main>
      <button type="button">Refresh</button>
      <section>
        <ul>
          {lines.map((line) => (
            <Line
              key={line}
              name={line}
              onDone={() => setTimeout(() => setLines((all) => all.filter((one) => one !== line)))}
            />
          ))}
        </ul>
        <input aria-label="Note" />
      </section>
    </main>
  );
}

function Line({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const [busy, during] = useBusy();
  return (
    <li>
      <button type="button" disabled={busy} onClick={() => void during(Promise.resolve()).then(onDone)}>
        {name}
      </button>
    </li>
  );
}

test('where a button goes with its line, the focus goes to what is nearest', async () => {
  render(<Lines />);
  for (const [name, next] of [
    ['First', () => screen.getByRole('button', { name: 'Second' })],
    ['Second', () => screen.getByRole('textbox', { name: 'Note' })],
  ] as const) {
    const button = screen.getByRole('button', { name });
    button.focus();
    await act(async () => button.click());
    await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(next()));
  }
});
