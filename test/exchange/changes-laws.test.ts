import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowRef } from '../../shared/api/scalars.ts';
import { isChanged } from '../../shared/model/row.ts';
import { SEED } from '../share.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';
import { liveRows, refresh, undoAll } from './known-campaigns.ts';
import { aLibrary, drafts, type Files, noted, pick, rowsOf, text, writeNotes } from './random-workspace.ts';
import { rowsOfArchive } from './read-archive.ts';

/**
 * Two desks know the same campaigns of the service. One edits, adds and deletes at random and sends a file of changes;
 * the other imports it. Then both have the same changes to send, and the import is one step.
 */
const folder = mkdtempSync(join(tmpdir(), 'adslate-changes-'));
let sender: TestExchange;
let receiver: TestExchange;
let files: Files;
beforeAll(async () => {
  sender = await anExchange(join(folder, 'sender'));
  receiver = await anExchange(join(folder, 'receiver'));
  files = await aLibrary(sender, folder);
  for (const desk of [sender, receiver]) await refresh(desk);
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = fc.nat({ max: 1000 });
const edits = fc.record({
  bids: fc.array(fc.record({ at, value: fc.option(fc.integer({ min: 1, max: 9999 })) }), { maxLength: 4 }),
  names: fc.array(fc.record({ at, value: text }), { maxLength: 2 }),
  headlines: fc.array(fc.record({ at, value: text }), { maxLength: 2 }),
  logos: fc.array(fc.record({ at, logo: at }), { maxLength: 2 }),
  factors: fc.array(fc.record({ at, value: fc.integer({ min: 0, max: 900 }) }), { maxLength: 2 }),
  deletes: fc.array(at, { maxLength: 3 }),
});

/** Edits rows of the service at random. */
async function editAtRandom(desk: TestExchange, made: typeof edits extends fc.Arbitrary<infer T> ? T : never) {
  const rows = await liveRows(desk);
  const of = (...kinds: readonly string[]): readonly RowRef[] => rows.filter(({ kind }) => kinds.includes(kind));
  const update = (ref: RowRef | undefined, field: string, value: string | number | null) =>
    ref === undefined ? [] : [{ kind: ref.kind, id: ref.id, field, value }];
  const updates = [
    ...made.bids.flatMap((one) => update(pick(of('keyword', 'adItem'), one.at), 'bid', one.value)),
    ...made.names.flatMap((one) => update(pick(of('campaign', 'adGroup'), one.at), 'name', one.value)),
    ...made.headlines.flatMap((one) => update(pick(of('sbaProfile'), one.at), 'headline', one.value)),
    ...made.logos.flatMap((one) => update(pick(of('sbaProfile'), one.at), 'logo', pick(files.logos, one.logo) ?? null)),
    ...made.factors.flatMap((one) =>
      update(pick(of('placementMultiplier', 'platformMultiplier'), one.at), 'multiplier', one.value),
    ),
  ];
  const deletes = made.deletes.flatMap((one) => pick(rows, one) ?? []);
  const done = await desk.account.workspace.apply({ label: 'Edit', source: 'user', updates, deletes });
  if (!done.ok) throw new Error(JSON.stringify(done.error));
}

const changesOf = async (desk: TestExchange) => {
  const target = join(folder, `${randomUUID()}.adslate-changes`);
  return { target, ...(await desk.archive('changes', target)) };
};
describe(`over random changes (seed ${SEED})`, () => {
  test('whoever imports a file of changes has the same changes, as one step that can be undone', async () => {
    const seen = { added: 0, changed: 0, removed: 0, media: 0 };
    await fc.assert(
      fc.asyncProperty(edits, drafts, noted, async (made, drafted, notes) => {
        await editAtRandom(sender, made);
        const created = { label: 'New', source: 'user' as const, creates: rowsOf(drafted.slice(0, 2), files) };
        const applied = await sender.account.workspace.apply(created);
        if (!applied.ok) throw new Error(JSON.stringify(applied.error));
        await writeNotes(sender, await liveRows(sender), notes);
        try {
          const sent = await changesOf(sender);
          const rows = await rowsOfArchive(sent.target);
          const preview = await receiver.preview(await receiver.grant(sent.target));
          expect(preview).toMatchObject({ errorCount: 0, conflicts: 0 });
          const done = await receiver.apply(preview.previewId);
          expect(await rowsOfArchive((await changesOf(receiver)).target)).toEqual(rows);
          expect(await receiver.account.workspace.verify()).toEqual([]);

          const again = await receiver.preview(await receiver.grant(sent.target));
          await receiver.dismiss(again.previewId);
          expect(again).toMatchObject({ added: 0, changed: 0, removed: 0, errorCount: 0 });

          await receiver.account.workspace.undo();
          expect((await liveRows(receiver)).filter(isChanged)).toEqual([]);
          seen.added += done.added;
          seen.changed += done.changed;
          seen.removed += done.removed;
          seen.media += sent.media;
        } finally {
          await undoAll(sender);
        }
      }),
      { numRuns: 8, seed: SEED },
    );
    expect(Math.min(seen.added, seen.changed, seen.removed, seen.media)).toBeGreaterThan(0);
  });
});
