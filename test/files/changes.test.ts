import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RowRef } from '../../shared/api/scalars.ts';
import { type AnyRow, isChanged, isDeleted } from '../../shared/model/row.ts';
import { testFolder } from '../folder.ts';
import { SEED } from '../share.ts';
import { done } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { anExchange, liveRows, refresh, rowsOfArchive, type TestExchange, undoAll } from './an-exchange.ts';
import { aLibrary, drafts, type Files, noted, pick, rowsOf, text, writeNotes } from './random-workspace.ts';

/** Files of changes between two desks that know the same campaigns of the service. */
const folder = testFolder('changes');
let sender: TestExchange;
let receiver: TestExchange;
afterAll(async () => {
  await sender.close();
  await receiver.close();
});

describe('changes', () => {
  beforeAll(async () => {
    sender = await anExchange(join(folder, 'sender'));
    receiver = await anExchange(join(folder, 'receiver'));
    for (const desk of [sender, receiver]) await refresh(desk);
  });
  afterEach(async () => {
    for (const desk of [sender, receiver]) await undoAll(desk);
  });

  const rowOf = async (desk: TestExchange, kind: AnyRow['kind'], remoteId: string): Promise<AnyRow> => {
    const row = (await liveRows(desk)).find((one) => one.kind === kind && one.remoteId === remoteId);
    if (row === undefined) throw new Error(`no ${kind} ${remoteId}`);
    return row;
  };
  const edit = async (desk: TestExchange, ref: AnyRow, field: string, value: string | number): Promise<void> => {
    const update = { kind: ref.kind, id: ref.id, field, value };
    done(await desk.account.workspace.apply({ label: 'Edit', source: 'user', updates: [update] }));
  };
  const remove = async (desk: TestExchange, { kind, id }: AnyRow): Promise<void> => {
    await desk.account.workspace.apply({ label: 'Delete', source: 'user', deletes: [{ kind, id }] });
  };
  const sent = async () => {
    const target = join(folder, `${randomUUID()}.adslate-changes`);
    await sender.archive('changes', target);
    return receiver.preview(await receiver.grant(target));
  };

  describe('a deletion in a file of changes', () => {
    test('is shown first, then carried out with all that hangs from the row, and taken back by one undo', async () => {
      await remove(sender, await rowOf(sender, 'adGroup', '101'));
      const preview = await sent();
      // The group, two keywords, an item and a brand profile.
      expect(preview).toMatchObject({ added: 0, changed: 0, removed: 5, conflicts: 0, errorCount: 0 });
      const { rows } = await receiver.rows(preview.previewId, 'removed', 0, 1);
      expect(rows).toMatchObject([{ kind: 'adGroup', outcome: 'removed' }]);
      expect(isDeleted(await rowOf(receiver, 'adGroup', '101'))).toBe(false);
      expect(await receiver.apply(preview.previewId)).toMatchObject({ removed: 5 });
      expect(isDeleted(await rowOf(receiver, 'adGroup', '101'))).toBe(true);
      expect(isDeleted(await rowOf(receiver, 'keyword', '10101'))).toBe(true);
      await call(receiver.account.workspace, 'workspace', 'undo');
      expect((await liveRows(receiver)).filter(isDeleted)).toEqual([]);
    });
    test('can be left out, row by row', async () => {
      await remove(sender, await rowOf(sender, 'keyword', '10101'));
      const preview = await sent();
      const { rows } = await receiver.rows(preview.previewId, 'removed', 0, 1);
      await receiver.apply(preview.previewId, { leaveOut: rows.map(({ line }) => line), take: [] });
      expect(isDeleted(await rowOf(receiver, 'keyword', '10101'))).toBe(false);
    });
    test('of a row below which somebody has worked here is a conflict, and waits to be taken', async () => {
      await remove(sender, await rowOf(sender, 'campaign', '100'));
      await edit(receiver, await rowOf(receiver, 'keyword', '10101'), 'bid', 99);
      const preview = await sent();
      // The campaign, its group and the keyword itself.
      expect(preview).toMatchObject({ conflicts: 3 });
      const { rows } = await receiver.rows(preview.previewId, 'conflict', 0, 10);
      await receiver.apply(preview.previewId, { leaveOut: [], take: rows.map(({ line }) => line) });
      expect(isDeleted(await rowOf(receiver, 'campaign', '100'))).toBe(true);
    });
    test('of a row that is gone here already changes nothing', async () => {
      for (const desk of [sender, receiver]) await remove(desk, await rowOf(desk, 'keyword', '10101'));
      expect(await sent()).toMatchObject({ removed: 0, conflicts: 0, errorCount: 0, unchanged: 1 });
    });
  });

  describe('a file that was exchanged for another of the same name', () => {
    test('counts by what is in it, and is a conflict where it was exchanged here as well', async () => {
      const library = await aLibrary(sender, folder);
      await edit(sender, await rowOf(sender, 'sbaProfile', '10104'), 'logo', library.logos[0] ?? 0);
      await receiver.apply((await sent()).previewId);
      await edit(sender, await rowOf(sender, 'sbaProfile', '10104'), 'logo', library.logos[1] ?? 0);
      // Here it is the first logo by now, in the file the second, and the service knows none.
      const preview = await sent();
      expect(preview).toMatchObject({ changed: 0, conflicts: 1, media: 1 });
      const { rows } = await receiver.rows(preview.previewId, 'conflict', 0, 1);
      await receiver.apply(preview.previewId, { leaveOut: [], take: rows.map(({ line }) => line) });
      const profile = await rowOf(receiver, 'sbaProfile', '10104');
      const media = await receiver.account.workspace.readMedia();
      const [, second] = await Promise.all(
        library.logos.map(async (id) => (await sender.account.workspace.readRow({ kind: 'media', id }))?.values),
      );
      expect(media.find(({ id }) => profile.kind === 'sbaProfile' && id === profile.values.logo)?.values).toMatchObject(
        {
          fileName: 'logo.png',
          sha256: second !== undefined && 'sha256' in second ? second.sha256 : 'none',
        },
      );
    });
  });

  describe('what colleagues say', () => {
    test('travels with a row that is otherwise unchanged, and is shown before it is taken over', async () => {
      const keyword = await rowOf(sender, 'keyword', '10101');
      await writeNotes(sender, [keyword], {
        comments: [{ at: 0, field: 'bid', text: 'Too dear?', resolved: true }],
        labels: [{ at: 0, label: 0 }],
      });
      const preview = await sent();
      expect(preview).toMatchObject({ added: 0, changed: 1, errorCount: 0 });
      const { rows } = await receiver.rows(preview.previewId, 'changed', 0, 1);
      expect(rows[0]?.cells).toEqual([
        { column: 'Comment', before: null, after: 'Ada on Bid: Too dear?', base: null },
        { column: 'Label', before: null, after: 'Autumn, "best"', base: null },
      ]);
      await receiver.apply(preview.previewId);
      const { workspace } = receiver.account;
      const there = await rowOf(receiver, 'keyword', '10101');
      expect(await workspace.comments({ kind: 'keyword', id: there.id }, null)).toMatchObject([
        { field: 'bid', author: 'Ada', text: 'Too dear?', resolved: true },
      ]);
      expect(done(await call(workspace, 'notes', 'labels'))).toMatchObject([
        { name: 'Autumn, "best"', color: '#aa0000', rows: 1 },
      ]);
      expect(await sent()).toMatchObject({ changed: 0, unchanged: 1 });
    });
    test('names its author elsewhere, who needs no name at home', async () => {
      const { kind, id } = await rowOf(sender, 'keyword', '30101');
      const ref = { kind, id };
      await sender.account.workspace.note({ do: 'comment', ref, field: null, author: '', text: 'Mine' });
      const own = join(folder, 'own.adslate-changes');
      await sender.archive('changes', own);
      const home = await sender.preview(await sender.grant(own));
      expect(home).toMatchObject({ changed: 0 });
      await receiver.apply((await sent()).previewId);
      const there = await rowOf(receiver, 'keyword', '30101');
      const said = await receiver.account.workspace.comments({ kind: 'keyword', id: there.id }, null);
      expect(said).toMatchObject([{ author: userInfo().username, text: 'Mine' }]);
    });
    test('stays when the import is undone, and a label that is here keeps its colour', async () => {
      const { workspace } = receiver.account;
      await workspace.note({ do: 'save-label', id: null, name: 'STRASSE', color: '#123456' });
      const keyword = await rowOf(sender, 'keyword', '20101');
      await edit(sender, keyword, 'bid', 77);
      await writeNotes(sender, [keyword], {
        comments: [{ at: 0, field: null, text: 'Look', resolved: false }],
        labels: [{ at: 0, label: 2 }],
      });
      await receiver.apply((await sent()).previewId);
      await call(workspace, 'workspace', 'undo');
      const { kind, id, values } = await rowOf(receiver, 'keyword', '20101');
      expect(values).toMatchObject({ bid: 50 });
      expect(await workspace.comments({ kind, id }, null)).toMatchObject([{ text: 'Look' }]);
      expect(done(await call(workspace, 'notes', 'labels'))).toContainEqual(
        expect.objectContaining({ name: 'STRASSE', color: '#123456', rows: 1 }),
      );
    });
  });
});

describe('changes laws', () => {
  let files: Files;
  beforeAll(async () => {
    sender = await anExchange(join(folder, 'law-sender'));
    receiver = await anExchange(join(folder, 'law-receiver'));
    files = await aLibrary(sender, folder);
    for (const desk of [sender, receiver]) await refresh(desk);
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
      ...made.logos.flatMap((one) =>
        update(pick(of('sbaProfile'), one.at), 'logo', pick(files.logos, one.logo) ?? null),
      ),
      ...made.factors.flatMap((one) =>
        update(pick(of('placementMultiplier', 'platformMultiplier'), one.at), 'multiplier', one.value),
      ),
    ];
    const deletes = made.deletes.flatMap((one) => pick(rows, one) ?? []);
    done(await desk.account.workspace.apply({ label: 'Edit', source: 'user', updates, deletes }));
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
          done(await sender.account.workspace.apply(created));
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

            await call(receiver.account.workspace, 'workspace', 'undo');
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
});
