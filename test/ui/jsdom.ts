import { Blob, File } from 'node:buffer';
import { TextDecoder, TextEncoder } from 'node:util';
import { configure } from '@testing-library/dom';

/** A crowded machine takes its time. What is there at once is not waited for. */
configure({ asyncUtilTimeout: 120_000 });

// Files share a process and its page: each begins with an empty one.
document.head.replaceChildren();
document.body.replaceChildren();
for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name);
localStorage.clear();
sessionStorage.clear();

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
Reflect.set(
  globalThis,
  'ClipboardItem',
  class {
    readonly parts: Readonly<Record<string, Promise<Blob>>>;
    constructor(parts: Readonly<Record<string, Promise<Blob>>>) {
      this.parts = parts;
    }
    getType(type: string): Promise<Blob> | undefined {
      return this.parts[type];
    }
  },
);
Object.assign(document, { fonts: new EventTarget() });
Element.prototype.scrollIntoView = () => {};
Element.prototype.setPointerCapture = () => {};
Element.prototype.hasPointerCapture = () => true;
/** Every element is somewhere: what hangs from an element without a size is taken to be out of sight. */
Element.prototype.getBoundingClientRect = () => new DOMRect(10, 10, 100, 20);
Object.defineProperties(document.documentElement, { clientWidth: { value: 1440 }, clientHeight: { value: 900 } });

/**
 * The core runs beside the window, and works with Node's own classes: what it sends is made of them, and bytes are told by
 * them. Some can be had from a value only.
 */
const { constructor: FormData } = await new Response(new URLSearchParams('a=b')).formData();
const { constructor: Headers } = new Response().headers;
const Bytes = Object.getPrototypeOf(Buffer);
Object.assign(globalThis, { Blob, File, FormData, Headers, TextDecoder, TextEncoder, Uint8Array: Bytes });
