import type { Store } from './store.ts';

/**
 * The sandbox's clock. A real one runs along with the machine's clock, moved ahead by what it was told to; a virtual
 * one stands still until told. Both survive a restart. Signatures and the Date header do not follow it.
 */
export interface Clock {
  readonly mode: 'real' | 'virtual';
  /** Milliseconds since 1970. While something falls due, the instant at which it was due. */
  readonly now: () => number;
  /** Moves the clock to an instant. */
  readonly moveTo: (instantMs: number) => void;
  /** Lets `work` see the given instant as now. */
  readonly at: (instantMs: number, work: () => void) => void;
}

const SETTING = 'clock';

/** @param startMs where a clock without a stored position begins; null for the machine's time */
export function createClock(mode: 'real' | 'virtual', startMs: number | null, store: Store): Clock {
  const stored = store.readSetting(SETTING);
  // A virtual clock stores its position, a real one its distance from the machine's clock.
  let position = mode === 'virtual' ? (startMs ?? Date.now()) : startMs === null ? 0 : startMs - Date.now();
  if (stored?.startsWith(`${mode}:`) === true) position = Number(stored.slice(mode.length + 1));
  const save = () => store.writeSetting(SETTING, `${mode}:${position}`);
  save();
  let pinned: number | null = null;

  return {
    mode,
    now: () => pinned ?? (mode === 'virtual' ? position : Date.now() + position),
    moveTo: (instantMs) => {
      position = mode === 'virtual' ? instantMs : instantMs - Date.now();
      save();
    },
    at: (instantMs, work) => {
      pinned = instantMs;
      try {
        work();
      } finally {
        pinned = null;
      }
    },
  };
}
