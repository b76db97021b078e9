import { z } from 'zod';
import type { NotificationEntry } from '../../shared/api/app.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { type AlertCause, alertedName, alertNotice } from '../../shared/suggestions/alerts.ts';
import { createPersistedList } from '../store/account-settings.ts';
import type { Workspace } from '../store/workspace.ts';
import type { SuggestionAnswer } from './suggestion-queries.ts';

interface AlertNoticeDeps {
  readonly workspace: Pick<Workspace, 'getMeta' | 'setMeta'>;
  readonly nowMs: () => number;
  readonly isOn: () => boolean;
  readonly ask: () => Promise<Pick<SuggestionAnswer, 'suggestions'> & { readonly today: PlainDate }>;
  readonly add: (entry: NotificationEntry) => Promise<void>;
  /** Called when alerts could not be calculated; the next metrics trigger them again. */
  readonly failed: (error: unknown) => void;
}

/** Reports arrive one after the other; alerts are calculated when none has arrived for this long. */
const REST_MS = 3000;
const Told = z.array(z.strictObject({ cause: z.string(), day: z.string() }));

/** Notifies the user of problems in new metrics: once per cause and business day, also after a restart. */
export function createAlertNotices({ workspace, nowMs, isOn, ask, add, failed }: AlertNoticeDeps) {
  const told = createPersistedList(workspace, 'told-alerts', (text) => Told.parse(JSON.parse(text ?? '[]')));
  const inTurn = createSerialQueue();
  let timer: NodeJS.Timeout | null = null;

  const tell = async (): Promise<void> => {
    if (!isOn()) return;
    const { suggestions, today } = await ask();
    const known = (await told.read()).filter(({ day }) => day === today);
    const causes = new Map<AlertCause, { name: string | null; value: number; expected: number }[]>();
    for (const { kind, label, numbers } of suggestions) {
      if (kind !== 'alert' || known.some((one) => one.cause === numbers.cause)) continue;
      const name = alertedName(label, numbers.cause);
      const rows = causes.get(numbers.cause) ?? [];
      causes.set(numbers.cause, [...rows, { name, value: numbers.value, expected: numbers.expected }]);
    }
    for (const [cause, rows] of causes) {
      // Stored after the notification is added, so that a crash in between repeats it instead of losing it.
      await add({ at: nowMs(), tone: 'bad', text: alertNotice(cause, rows), place: 'alerts' });
      await told.change((all) => [...all.filter(({ day }) => day === today), { cause, day: today }]);
    }
  };
  const now = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    return inTurn(() => tell().catch(failed));
  };
  return {
    /** Calculates the alerts once no more metrics arrive. */
    soon: () => {
      if (isOn()) timer = timer?.refresh() ?? setTimeout(() => void now(), REST_MS);
    },
    /** Adds pending notifications. */
    close: () => (timer === null ? inTurn(async () => undefined) : now()),
  };
}
