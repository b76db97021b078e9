import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConnectionState } from '../../renderer/app/transport/connection.ts';
import { NEXT_STEP_MS, Reconnecting, useOutage } from '../../renderer/features/shell/StatusBar.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const passMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a lost connection says what to do only after a while, and each outage begins anew', async () => {
  let state: ConnectionState = 'open';
  let change: () => void = () => undefined;
  const connection = {
    state: () => state,
    onState: (listener: () => void) => {
      change = listener;
      return () => undefined;
    },
  };
  function Status() {
    const outage = useOutage(connection);
    return outage === 'none' ? <p>Saved</p> : <Reconnecting outage={outage} />;
  }
  const enter = (next: ConnectionState) =>
    act(() => {
      state = next;
      change();
    });
  const nextStep = () => screen.queryByText(/^Adslate is not responding. If you closed it, start it again\./);
  render(<Status />);
  await passMs(NEXT_STEP_MS);
  expect(screen.getByText('Saved')).toBeTruthy();
  for (const _ of ['the first outage', 'the next one']) {
    enter('lost');
    await passMs(NEXT_STEP_MS - 1);
    expect(screen.getByRole('alert').textContent).toBe('Reconnecting…');
    expect(nextStep()).toBeNull();
    await passMs(1);
    expect(nextStep()).not.toBeNull();
    enter('open');
    expect(screen.getByText('Saved')).toBeTruthy();
  }
});
