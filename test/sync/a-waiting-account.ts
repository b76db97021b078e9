import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PendingOptions } from '../../main/sync/pending-sync.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { type Capabilities, DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { autoDraft } from './a-draft.ts';
import { openLine } from './a-line.ts';
import { type AccountOptions, openAccount, type TestAccount } from './an-account.ts';
import type { PracticeService } from './practice-service.ts';
import { steppedClock } from './stepped-clock.ts';

export const DEPLOYMENTS = [
  ['documented calls alone', DOCUMENTED_ONLY],
  ['the extensions', WITH_EXTENSIONS],
] as const;
export const MINUTE = 60_000;

export type WaitingAccount = Awaited<ReturnType<typeof waitingAccount>>;

/**
 * Three drafted campaigns, a practice service over a line that can be cut, and a clock that the test moves. What it opens is
 * closed when the test has ended.
 */
export async function waitingAccount(sandbox: PracticeService, capabilities: Capabilities) {
  const { control } = sandbox;
  const line = await openLine(sandbox);
  const clock = steppedClock();
  const folder = await mkdtemp(join(tmpdir(), 'adslate-pending-'));
  const events: AppEvent[] = [];
  const acts = new Map<AppEvent['type'], () => unknown>();
  const hear = (event: AppEvent): void => {
    events.push(event);
    if (event.type === 'sync.progress' && (event.batchesDone === 0 || event.phase === 'done')) return;
    const act = acts.get(event.type);
    acts.delete(event.type);
    act?.();
  };
  const open = (more: Partial<AccountOptions> = {}): Promise<TestAccount> =>
    openAccount({
      sandbox: line.sandbox,
      capabilities,
      clock,
      fetch: clock.fetch,
      watched: clock.watched,
      random: () => 0.5,
      onEvent: hear,
      folder,
      ...more,
    });
  let account = await open();
  onTestFinished(async () => {
    await account.close();
    await line.cut();
    await rm(folder, { recursive: true, force: true });
  });
  const items = new Map<string, RowId>();
  const otherItems = new Map<string, RowId>();
  for (const name of ['A', 'B', 'C']) {
    const [, , item, other] = await account.create(autoDraft(name));
    if (item !== undefined) items.set(name, item);
    if (other !== undefined) otherItems.set(name, other);
  }
  const view = () => account.sync.pending();
  const pending = async (): Promise<string> => (await view())?.state ?? 'none';
  const run = (more: Partial<PendingOptions> = {}) => account.sync.run({ submit: false, campaignIds: null, ...more });
  const untilIs = (state: string) => clock.until(async () => !account.sync.isRunning() && (await pending()) === state);
  const settled = async () => {
    const end = account.sync.settled();
    let isThere = false;
    void end.then(() => {
      isThere = true;
    });
    await clock.until(() => isThere);
    return end;
  };
  return {
    control,
    line,
    /** The service without the line, as uploads reach it. */
    direct: sandbox,
    clock,
    folder,
    events,
    /** The first ad item of a campaign, and the other one. */
    items,
    otherItems,
    now: () => account,
    /** Closes the account and opens it again. */
    reopen: async (more?: Partial<AccountOptions>) => {
      await account.close();
      account = await open(more);
    },
    view,
    /** The state of what is pending, or `none`. */
    pending,
    /** Moves the clock until it is in this state. */
    untilIs,
    /** Moves the clock until nothing runs and nothing is pending. */
    settled,
    /** Begins a sync of everything. */
    run,
    /** The same, until nothing runs. @returns its report */
    ran: async (more?: Partial<PendingOptions>) => {
      await run(more);
      return settled();
    },
    /** Begins a sync of everything that may go on by itself, and moves the clock until it is in this state. */
    runUntil: async (state: string, more?: Partial<PendingOptions>) => {
      await run({ resumes: true, ...more });
      await untilIs(state);
    },
    /** Does this once, as soon as a request was answered. */
    onceSent: (act: () => unknown) => void acts.set('sync.progress', act),
    /** The same with the first bytes of a file. */
    onceUploading: (act: () => unknown) => void acts.set('upload.progress', act),
    /** How many requests have changed something. */
    writes: async () =>
      (await control.requests()).filter(({ method, path }) => method !== 'GET' && !path.includes('item')).length,
    /** The names of the campaigns on the service. */
    onService: async () => (await control.state()).campaigns.map(({ name }) => name).toSorted(),
  };
}
