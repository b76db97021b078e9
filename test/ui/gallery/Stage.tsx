import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createDesk } from '../../../renderer/app/create-desk.ts';
import { type Desk, DeskProvider } from '../../../renderer/app/desk.ts';
import { useWindowSource } from '../../../renderer/data/use-window-source.ts';
import type { OpenView, ViewRequest } from '../../../renderer/data/window-source.ts';
import { createMemoryDesk } from '../memory-connection.ts';
import { type Answers, answering } from './answers.ts';
import { preview, stockLibrary, WORKSPACE } from './examples.ts';

const NOTHING: readonly string[] = [];
const QUIET = { tell: () => {}, fail: () => {}, offer: () => {} };

interface Scene {
  readonly answers?: Answers;
  /** Puts the view state into what is to be shown, before anything is drawn. */
  readonly arrange?: (state: ReturnType<Desk['store']['getState']>) => void;
  /** Names of buttons that are pressed one after the other, each as soon as it is there. */
  readonly press?: readonly string[];
}

interface StageProps extends Scene {
  readonly children: ReactNode;
}

/** A desk of its own for one example. */
export function Stage({ answers, arrange, press = NOTHING, children }: StageProps) {
  const place = useRef<HTMLDivElement>(null);
  const [desk] = useState(() => {
    const { connection, account } = createMemoryDesk({ keywords: 12 });
    stockLibrary(account);
    const client = answering(connection.client, { media: { preview }, ...answers });
    const made = createDesk({ ...connection, client }, QUIET);
    made.store.getState().openWorkspace(WORKSPACE);
    arrange?.(made.store.getState());
    return made;
  });
  useEffect(() => desk.close, [desk]);
  useEffect(() => pressing(place.current, press), [press]);
  return (
    <DeskProvider value={desk}>
      <div ref={place} className="gallery-stage">
        {children}
      </div>
    </DeskProvider>
  );
}

/** An example with a desk of its own; see `Scene`. */
export const staged = (scene: Scene, part: ReactNode) => <Stage {...scene}>{part}</Stage>;

/** Presses buttons as they turn up. @returns the way to stop waiting for them */
function pressing(place: HTMLElement | null, names: readonly string[]): () => void {
  const left = [...names];
  const isNamed = (button: HTMLElement, name: string): boolean =>
    (button.ariaLabel ?? button.textContent ?? '').startsWith(name) && button.getAttribute('disabled') === null;
  const pressNext = (): void => {
    const [name] = left;
    if (name === undefined) {
      watcher.disconnect();
      return;
    }
    const buttons = place?.querySelectorAll<HTMLElement>('button, [role="tab"], input[type="radio"]') ?? [];
    const button = [...buttons].find((each) => isNamed(each, name));
    if (button === undefined) return;
    left.shift();
    button.click();
  };
  const watcher = new MutationObserver(pressNext);
  if (place !== null) watcher.observe(place, { childList: true, subtree: true, attributes: true });
  pressNext();
  return () => watcher.disconnect();
}

interface ViewedProps {
  readonly request: Partial<ViewRequest> & Pick<ViewRequest, 'kind'>;
  readonly children: (view: OpenView) => ReactNode;
}

/** Rows of the account in memory, for parts that show a view; drawn once its first rows are there. */
export function Viewed({ request, children }: ViewedProps) {
  const view = useWindowSource(WORKSPACE, { campaignId: null, filter: '', only: 'all', sort: [], ...request });
  return view === null ? null : children(view);
}
