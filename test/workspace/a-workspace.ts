import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../main/app/clock.ts';
import type { Workspace } from '../../main/store/store.ts';
import { openWorkspace } from '../../main/store/store.ts';
import type { CreateRow, EditBatch, EditOutcome } from '../../main/store/types.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Result } from '../../shared/result.ts';

/** Noon UTC of 4 May 2026, moved by the test and by nothing else. */
export interface TestClock extends Clock {
  moveMs(ms: number): void;
}

export function aClock(startMs = Date.UTC(2026, 4, 4, 12)): TestClock {
  let now = startMs;
  return {
    nowMs: () => now,
    monotonicMs: () => now,
    sleep: () => Promise.resolve(),
    moveMs: (ms) => {
      now += ms;
    },
  };
}

/** A folder of its own for one test, removed when the test ends. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-workspace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function aWorkspace(file = join(aFolder(), 'workspace.db'), clock = aClock()): Promise<Workspace> {
  const profile = defaultDeploymentSettings('shop.example');
  const opened = await openWorkspace({ file, workspaceId: 'test', profile, clock, migrated: true });
  if (!opened.ok) throw new Error(`not opened: ${JSON.stringify(opened.error)}`);
  onTestFinished(() => opened.value.close());
  return opened.value;
}

export function done<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

export const create = (kind: Kind, parent: CreateRow['parent'], values: AnyValues = {}): CreateRow => ({
  kind,
  parent,
  values,
});

/** A sponsored products campaign with one group, one item and two keywords: rows 0 to 4 of the answer. */
export const aSmallCampaign = (name = 'Towels'): readonly CreateRow[] => [
  create('campaign', null, { name, campaignType: 'sponsoredProducts', targetingType: 'manual', dailyBudget: 5000 }),
  create('adGroup', { at: 0 }, { name: `${name} group` }),
  create('adItem', { at: 1 }, { itemId: '1234567', bid: 40 }),
  create('keyword', { at: 1 }, { text: 'Paper Towel', matchType: 'exact', bid: 100 }),
  create('keyword', { at: 1 }, { text: 'kitchen roll', matchType: 'broad', bid: 120 }),
];

export async function edit(workspace: Workspace, batch: Omit<EditBatch, 'label' | 'source'>): Promise<EditOutcome> {
  return done(await workspace.apply({ label: 'Test edit', source: 'user', ...batch }));
}

export const remote = (id: string): RemoteId => id as RemoteId;
