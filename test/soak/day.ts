import { setTimeout as wait } from 'node:timers/promises';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import type { Client } from '../hosts/lines.ts';
import { autoDraft } from '../sync/a-draft.ts';

/** Where somebody works: an account through one line, and pages that come and go. */
export interface Desk {
  readonly client: Client;
  readonly workspaceId: WorkspaceId;
  reload(look: (client: Client) => Promise<unknown>): Promise<void>;
}

const EDITS = 100;
const UNDONE = 10;
/** Every so many days a sheet's worth of keywords comes and goes again, as one step each. */
const SHEET_EVERY = 10;
const SHEET_ROWS = 2000;
const LOOK_MS = 50;

/** Drafts, edits, undo, looks through lists, a sheet now and then, a sync, a page that comes and goes, and the night. */
export async function liveOneDay(desk: Desk, day: number): Promise<{ readonly edits: number; readonly sent: number }> {
  const { client, workspaceId } = desk;
  const name = `Day ${day}`;
  const created = await client.workspace.create({ workspaceId, label: name, rows: [...autoDraft(name)] });
  const campaign = created.touched.find(({ kind }) => kind === 'campaign')?.id;
  const group = created.touched.find(({ kind }) => kind === 'adGroup')?.id;
  if (campaign === undefined || group === undefined) throw new Error('No campaign was made.');
  for (let edit = 0; edit < EDITS; edit += 1) {
    const change = { kind: 'campaign' as const, id: campaign, field: 'dailyBudget', value: 5000 + edit };
    await client.workspace.edit({ workspaceId, label: 'Budget', changes: [change] });
  }
  for (let step = 0; step < UNDONE; step += 1) await client.workspace.undo({ workspaceId });
  for (const kind of ['campaign', 'keyword', 'adItem'] as const) {
    const { viewId } = await client.workspace.openView({ workspaceId, view: { kind } });
    await client.workspace.readWindow({ workspaceId, viewId, from: 0, count: 100 });
    await client.workspace.closeView({ workspaceId, viewId });
  }
  if (day % SHEET_EVERY === 0) {
    const rows = Array.from({ length: SHEET_ROWS }, (_, row) => ({
      kind: 'keyword' as const,
      parent: { id: group },
      values: { text: `kitchen roll ${day} ${row}`, matchType: 'exact', bid: 185 },
    }));
    await client.workspace.create({ workspaceId, label: 'Sheet', rows });
    await client.workspace.undo({ workspaceId });
  }
  await client.workspace.issues({ workspaceId, from: 0, count: 100 });
  await client.sync.refresh({ workspaceId });
  const sent = await sync(desk);
  await desk.reload((other) => other.workspace.summary({ workspaceId }));
  await client.practice.advance({ workspaceId, duration: 'P1D' });
  return { edits: EDITS, sent };
}

/** @returns how many elements the service took */
async function sync({ client, workspaceId }: Desk): Promise<number> {
  await client.sync.run({ workspaceId, submit: false });
  for (;;) {
    const report = await client.sync.report({ workspaceId });
    if (report !== null && report.state !== 'running') {
      if (report.state !== 'finished') throw new Error(`A sync ended as ${report.state}.`);
      return report.done;
    }
    await wait(LOOK_MS);
  }
}
