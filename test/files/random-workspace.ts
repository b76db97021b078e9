import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { addMedia } from '../../main/files/media/add-media.ts';
import { createProber } from '../../main/files/probe/prober.ts';
import type { CreateRow } from '../../main/store/types.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { ok } from '../../shared/result.ts';
import { aFilm, aPng } from '../media/builders.ts';
import { done } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import type { TestExchange } from './an-exchange.ts';

/** Texts that spreadsheet programs, CSV and XLSX stumble over. */
export const text = fc
  .string({ unit: fc.constantFrom(...'abcäß世"\';,=+-@#[]()%&<>  0123456789'), minLength: 1, maxLength: 24 })
  .map((found) => found.trim())
  .filter((found) => found !== '');
const cents = fc.integer({ min: 1, max: 9_999_999 });
const share = fc.nat({ max: 1000 });

export interface Draft {
  readonly name: string;
  readonly budget: number | null;
  readonly status: string;
  readonly groups: readonly {
    readonly name: string;
    readonly keywords: readonly { readonly text: string; readonly bid: number | null; readonly matchType: string }[];
    readonly items: readonly { readonly itemId: string; readonly bid: number | null }[];
    readonly headline: string | null;
    readonly logo: number | null;
    readonly video: number | null;
  }[];
  readonly multiplier: number | null;
}

/** Comments and labels for rows, each row named by its share of the list. */
export interface Noted {
  readonly comments: readonly {
    readonly at: number;
    readonly field: string | null;
    readonly text: string;
    readonly resolved: boolean;
  }[];
  readonly labels: readonly { readonly at: number; readonly label: number }[];
}

const unique = <T>(by: (one: T) => string) => ({ selector: by, comparator: (a: string, b: string) => a === b });
const draft: fc.Arbitrary<Draft> = fc.record({
  name: text,
  budget: fc.option(cents),
  status: fc.constantFrom('enabled', 'paused'),
  multiplier: fc.option(fc.integer({ min: 0, max: 900 })),
  groups: fc.uniqueArray(
    fc.record({
      name: text,
      keywords: fc.uniqueArray(
        fc.record({
          text: text.map((word) => word.toLowerCase()),
          bid: fc.option(cents),
          matchType: fc.constantFrom('exact', 'phrase', 'broad'),
        }),
        { ...unique((one: { text: string }) => one.text.replace(/\s+/g, ' ')), maxLength: 5 },
      ),
      items: fc.uniqueArray(
        fc.record({ itemId: fc.integer({ min: 1e9, max: 9_999_999_999 }).map(String), bid: fc.option(cents) }),
        { ...unique((one: { itemId: string }) => one.itemId), maxLength: 3 },
      ),
      headline: fc.option(text),
      logo: fc.option(share),
      video: fc.option(share),
    }),
    { ...unique((group: { name: string }) => group.name), minLength: 1, maxLength: 3 },
  ),
});
export const drafts = fc.array(draft, { minLength: 1, maxLength: 4 });
export const noted: fc.Arbitrary<Noted> = fc.record({
  comments: fc.array(
    fc.record({ at: share, field: fc.constantFrom(null, 'bid', 'name'), text, resolved: fc.boolean() }),
    { maxLength: 4 },
  ),
  labels: fc.array(fc.record({ at: share, label: fc.nat({ max: 2 }) }), { maxLength: 4 }),
});

/** One of a list, by a number between 0 and 1000. */
export const pick = <T>(list: readonly T[], at: number): T | undefined => list[Math.floor((at / 1001) * list.length)];

export interface Files {
  readonly logos: readonly RowId[];
  readonly videos: readonly RowId[];
}

/** The rows of drafts as an edit makes them; files come from the library. */
export function rowsOf(made: readonly Draft[], { logos, videos }: Files): readonly CreateRow[] {
  const creates: CreateRow[] = [];
  const add = (kind: CreateRow['kind'], parent: number | null, values: CreateRow['values']): number =>
    creates.push({ kind, parent: parent === null ? null : { at: parent }, values }) - 1;
  made.forEach((one, i) => {
    const campaign = add('campaign', null, {
      name: `${one.name} ${i}`,
      campaignType: 'sponsoredProducts',
      targetingType: 'manual',
      dailyBudget: one.budget,
      startDate: '2030-06-01',
      status: one.status,
    });
    if (one.multiplier !== null) {
      add('placementMultiplier', campaign, { placement: 'Search Ingrid', multiplier: one.multiplier });
    }
    for (const group of one.groups) {
      const at = add('adGroup', campaign, { name: group.name });
      for (const keyword of group.keywords) add('keyword', at, keyword);
      for (const item of group.items) add('adItem', at, item);
      if (group.headline !== null) {
        const logo = group.logo === null ? null : (pick(logos, group.logo) ?? null);
        add('sbaProfile', at, { headline: group.headline, brand: one.name, logo });
      }
      if (group.video !== null) add('videoProfile', at, { video: pick(videos, group.video) ?? null });
    }
  });
  return creates;
}

/** A library with files that are easily taken for each other: two of one name, and one that looks like a formula. */
export async function aLibrary({ account, grant }: TestExchange, folder: string): Promise<Files> {
  const files = {
    'logo.png': aPng(100, 100),
    'other/logo.png': aPng(100, 100, 3),
    '=SUM(1).png': aPng(100, 100, 5),
    'spring, "best".mp4': aFilm({}),
    'plain.mp4': aFilm({ durationMs: 20_000 }),
    'spring, "best".srt': Buffer.from('1\n00:00:00,000 --> 00:00:02,000\nSoft rolls\n'),
  };
  const ids: RowId[] = [];
  const prober = createProber();
  try {
    for (const [name, bytes] of Object.entries(files)) {
      const path = join(folder, encodeURIComponent(name));
      writeFileSync(path, bytes);
      const granted = { ...(await grant(path)), fileName: name.replace('other/', '') };
      const added = await addMedia({ ...account, prober }, [ok(granted)]);
      const [file] = added.ok ? added.value.files : [];
      if (file?.outcome !== 'added') throw new Error(`${name} was not added`);
      ids.push(file.mediaId);
    }
  } finally {
    await prober.close();
  }
  const [first, second, third, film, plain, caption] = ids as [RowId, RowId, RowId, RowId, RowId, RowId];
  const values = { mediaName: 'Spring, the best', caption };
  const updates = Object.entries(values).map(([field, value]) => ({ kind: 'media' as const, id: film, field, value }));
  const set = await account.workspace.apply({ label: 'Captions', source: 'user', updates });
  if (!set.ok) throw new Error(JSON.stringify(set.error));
  return { logos: [first, second, third], videos: [film, plain] };
}

const LABELS = [
  { name: 'Autumn, "best"', color: '#aa0000' },
  { name: '=late', color: '#00aa00' },
  { name: 'strasse', color: '#0000aa' },
];

/** Writes comments and labels beside rows. */
export async function writeNotes({ account }: TestExchange, rows: readonly RowRef[], { comments, labels }: Noted) {
  const { workspace } = account;
  const note = async (command: Parameters<typeof workspace.note>[0]): Promise<number> => {
    const done = await workspace.note(command);
    if (!done.ok) throw new Error(JSON.stringify(done.error));
    return done.value.id;
  };
  for (const { at, field, text: said, resolved } of comments) {
    const ref = pick(rows, at);
    if (ref === undefined) continue;
    const id = await note({ do: 'comment', ref, field, author: 'Ada', text: said });
    if (resolved) await note({ do: 'edit-comment', id, text: null, resolved });
  }
  for (const { at, label } of labels) {
    const ref = pick(rows, at);
    const wanted = LABELS[label];
    if (ref === undefined || wanted === undefined) continue;
    const known = done(await call(workspace, 'notes', 'labels')).find(({ name }) => name === wanted.name)?.id;
    const id = known ?? (await note({ do: 'save-label', id: null, ...wanted }));
    await note({ do: 'label', rows: [{ kind: ref.kind, ids: [ref.id] }], add: [id], remove: [] });
  }
}
