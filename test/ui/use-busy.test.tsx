import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { keepFocus } from '../../renderer/app/keep-focus.ts';
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

/** As the window starts it. */
function startKeeper(): void {
  const { close } = keepFocus(document);
  onTestFinished(close);
}

test.each([
  ['a dialog', { role: 'dialog', 'aria-label': 'Import' }],
  ['the detail of a list', { 'data-detail': true }],
])('%s has the focus while its button is disabled, and the button has it again afterwards', async (_name, part) => {
  startKeeper();
  render(
    <div {...part} tabIndex={-1} data-testid="part">
      <Work />
    </div>,
  );
  const dialog = screen.getByTestId('part');
  const button = await press();
  await waitFor(() => expect(document.activeElement).toBe(dialog));
  await act(async () => finish());
  await waitFor(() => expect(document.activeElement).toBe(button));
  await press();
  await waitFor(() => expect(document.activeElement).toBe(dialog));
  screen.getByRole('textbox').focus();
  await act(async () => finish());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});

test('where a button goes with its line, the focus goes to what is nearest', async () => {
  startKeeper();
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

/** A page of settings: a form that closes when it is saved, beside the list of sections. */
function Page() {
  const [isOpen, setOpen] = useState(true);
  return (
    <main data-pane="">
      <input aria-label="Find a setting" />
      <div role="region" aria-label="Custom rules">
        {isOpen ? (
          <div>
            <button type="button" onClick={() => setOpen(false)}>
              Save rule
            </button>
          </div>
        ) : (
          <button type="button">New rule</button>
        )}
      </div>
    </main>
  );
}

test('where a form closes with its button, the focus stays in its section of the page', async () => {
  startKeeper();
  render(<Page />);
  const save = screen.getByRole('button', { name: 'Save rule' });
  save.focus();
  await act(async () => save.click());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New rule' })));
});

/** A pane with a list of its own, whose lines are removed at once, and are not busy before. */
function Pane() {
  const [lines, setLines] = useState(['First', 'Second', 'Third']);
  return (
    <main data-pane="">
      <button type="button" role="tab" aria-selected="false">
        Other tab
      </button>
      <button type="button" role="tab" aria-selected="true">
        This tab
      </button>
      {lines.length > 0 && (
        <section>
          <button type="button">All</button>
          <ul>
            {lines.map((line) => (
              <li key={line}>
                <button type="button" onClick={() => setLines((all) => all.filter((one) => one !== line))}>
                  {line}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p>Beside everything</p>
    </main>
  );
}

test('a button that is removed hands the focus to the next line, its list, or what its pane is for', async () => {
  startKeeper();
  render(<Pane />);
  for (const [name, next] of [
    ['First', 'Second'],
    ['Third', 'Second'],
    ['Second', 'This tab'],
  ] as const) {
    const button = screen.getByText(name);
    button.focus();
    await act(async () => button.click());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByText(next)));
  }
});

test('the focus stays nowhere where the user left it, and with what has taken it', async () => {
  startKeeper();
  render(<Pane />);
  const left = screen.getByText('First');
  left.focus();
  // As by a click beside everything.
  await act(async () => left.blur());
  await act(async () => left.click());
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(document.activeElement).toBe(document.body);

  const button = screen.getByText('Second');
  button.focus();
  await act(async () => {
    button.click();
    setTimeout(() => screen.getByText('All').focus());
  });
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(document.activeElement).toBe(screen.getByText('All'));
});
