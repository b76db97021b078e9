import type { RestorePreview } from '../../../shared/api/backups.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { asNumber, asTextOrNull, type Db, type DbRow, numberOf, rowIdOf } from '../db/db.ts';
import { fileAtRest, openDb } from '../db/open-db.ts';
import { tableOf } from '../schema/tables.ts';
import type { NotWritable } from '../types.ts';

/**
 * The differences between this workspace and another file of it, as the changes that restoring that file would make.
 */
export type Comparison = Omit<RestorePreview, 'backupId' | 'at'>;

/**
 * Compares by row ID, which a workspace never reuses. Only data that users see counts: the fields and the marks
 * "deleted" and "held", not the issues, which are calculated again.
 */
export function compareFiles(order: {
  readonly file: string;
  readonly other: string;
  readonly examples: number;
}): Result<Comparison, NotWritable> {
  const db = openDb(order.file, { readOnly: true });
  try {
    db.run('ATTACH DATABASE ? AS other', fileAtRest(order.other).href);
    const kinds: Comparison['kinds'] = [];
    const examples: Comparison['examples'] = [];
    for (const kind of KINDS) {
      const found = differencesOf(db, kind, order.examples - examples.length);
      kinds.push(found.counts);
      examples.push(...found.examples);
    }
    return ok({ kinds, examples, ...campaignsOf(db, order.examples), moment: momentOf(db) });
  } finally {
    db.close();
  }
}

/**
 * SQL for the rows of a kind that differ, for each of the three ways; `wanted` is the SQL besides the ID. A file of
 * an older version may lack fields.
 */
function differing(db: Db, kind: Kind, wanted: (of: 'n' | 'o') => string) {
  const table = tableOf(kind);
  const known = new Set(db.all(`SELECT name FROM pragma_table_info(?, 'other')`, table.name).map(([name]) => name));
  const columns = [...table.columns.filter(({ field }) => known.has(field)).map(({ sql }) => sql), 'dirty'];
  const differs = columns.map((column) => `n.${column} IS NOT o.${column}`).join(' OR ');
  const [here, other] = [`main.${table.name}`, `other.${table.name}`];
  return {
    'comes-back': `SELECT o.id, ${wanted('o')} FROM ${other} o WHERE NOT EXISTS (SELECT 1 FROM ${here} n WHERE n.id = o.id)`,
    goes: `SELECT n.id, ${wanted('n')} FROM ${here} n WHERE NOT EXISTS (SELECT 1 FROM ${other} o WHERE o.id = n.id)`,
    changes: `SELECT o.id, ${wanted('o')} FROM ${other} o JOIN ${here} n ON n.id = o.id WHERE ${differs}`,
  } as const;
}

function differencesOf(db: Db, kind: Kind, wanted: number) {
  const table = tableOf(kind);
  const name = table.keyColumn?.sql ?? (table.columns[0]?.sql || 'id');
  // Logos and captions have no name beside that of their file.
  const sets = differing(db, kind, (of) =>
    kind === 'media' ? `coalesce(${of}.${name}, ${of}."fileName")` : `${of}.${name}`,
  );
  const count = (what: keyof typeof sets): number => numberOf(db, `SELECT count(*) FROM (${sets[what]})`);
  const counts = { kind, comingBack: count('comes-back'), going: count('goes'), changing: count('changes') };
  const examples = (Object.keys(sets) as (keyof typeof sets)[])
    .flatMap((what) => db.all(`${sets[what]} LIMIT ?`, Math.max(0, wanted)).map((row) => example(kind, what, row)))
    .slice(0, Math.max(0, wanted));
  return { counts, examples };
}

type RowDifference = Comparison['examples'][number];

const example = (kind: Kind, what: RowDifference['what'], [id, label]: DbRow): RowDifference => ({
  kind,
  id: Number(id),
  label: label === null || label === undefined ? '' : String(label),
  what,
});

/** Files of the library have no campaign. */
function campaignsOf(db: Db, wanted: number): Pick<Comparison, 'campaigns' | 'moreCampaigns'> {
  const rows = KINDS.filter((kind) => kind !== 'media').flatMap((kind) =>
    Object.values(differing(db, kind, (of) => `${of}.campaign_id`)),
  );
  const differ = `SELECT campaign_id, count(*) AS n FROM (${rows.join(' UNION ALL ')}) GROUP BY campaign_id`;
  const name =
    'coalesce((SELECT name FROM main.campaign WHERE id = d.campaign_id), (SELECT name FROM other.campaign WHERE id = d.campaign_id))';
  const first = db.all(
    `SELECT d.campaign_id, ${name}, d.n FROM (${differ}) d ORDER BY d.n DESC, d.campaign_id LIMIT ?`,
    wanted,
  );
  const campaigns = first.map(([id, label, n]) => ({
    campaignId: rowIdOf(id),
    name: asTextOrNull(label) ?? '',
    rows: asNumber(n),
  }));
  const all = campaigns.length < wanted ? campaigns.length : numberOf(db, `SELECT count(*) FROM (${differ})`);
  return { campaigns, moreCampaigns: all - campaigns.length };
}

/** Step IDs may repeat after a restore, so time and name must match too. */
function momentOf(db: Db): number | null {
  const found = db.get(
    `SELECT n.id FROM main.step n JOIN other.step o ON o.id = n.id AND o.at = n.at AND o.label = n.label
     WHERE n.state = 0 AND o.id = (SELECT max(id) FROM other.step WHERE state = 0)`,
  );
  return found === undefined ? null : asNumber(found[0]);
}
