import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../../renderer/components/ErrorBoundary.tsx';
import { lazyComponent } from '../../renderer/components/lazy-component.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What a browser throws where a module cannot be fetched. */
const notFetched = () => new TypeError('Failed to fetch dynamically imported module');
const Part = () => <p>the part</p>;
const passMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a part whose code does not come stays out until it does, and leaves the rest of the window alone', async () => {
  let isAway = true;
  let asked = 0;
  const Later = lazyComponent(async () => {
    asked += 1;
    if (isAway) throw notFetched();
    return Part;
  });
  render(
    <ErrorBoundary>
      <p>the rest</p>
      <Later />
    </ErrorBoundary>,
  );
  await passMs(60_000);
  expect(screen.queryByText('the part')).toBeNull();
  expect(screen.getByText('the rest')).toBeTruthy();
  expect(asked, 'more than once, and not all the time').toSatisfy((times: number) => times > 5 && times < 25);
  isAway = false;
  await passMs(5000);
  expect(screen.getByText('the part')).toBeTruthy();
});

test('a part that is not drawn any more is not asked for again', async () => {
  let asked = 0;
  const Later = lazyComponent(async (): Promise<typeof Part> => {
    asked += 1;
    throw notFetched();
  });
  const drawn = render(<Later />);
  await passMs(0);
  drawn.unmount();
  await passMs(60_000);
  expect(asked).toBe(1);
});
