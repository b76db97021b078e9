import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

/** What jsdom lacks and components ask for. Sizes are those of a usual window, so that virtual rows are drawn. */
class StillObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(globalThis, {
  ResizeObserver: StillObserver,
  requestIdleCallback: (work: () => void) => setTimeout(work, 0),
  cancelIdleCallback: clearTimeout,
  createImageBitmap: () => Promise.reject(new Error('jsdom decodes no pictures.')),
});
Object.defineProperty(window, 'matchMedia', {
  value: (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }),
});
Element.prototype.scrollIntoView = () => {};

/** A crowded machine takes its time. What is there at once is not waited for. */
configure({ asyncUtilTimeout: 20_000 });

afterEach(cleanup);
