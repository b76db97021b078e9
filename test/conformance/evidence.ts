import type { DatabaseSync } from 'node:sqlite';
import { type Machine, machines } from '../../sandbox/states.ts';
import { documentMoves } from './document-moves.ts';
import { patternOf, stepOf } from './keys.ts';

/**
 * Holds a case to what it claims: a message that it proves must have been in an answer, a move must have been made. One
 * case runs at a time in a file, so what is gathered here is gathered by that case.
 */
let heard: string[] = [];
let moves: MovesSeen | null = null;

/** Every answer that a client of the suite reads passes here. */
export function hear(text: string): void {
  heard.push(text);
}

export function watch(seen: MovesSeen | null): void {
  moves = seen;
}

export function beginCase(): void {
  heard = [];
  moves?.forget();
}

/** @returns what the case claims without having shown it, and moves that nobody may make */
export function contradictions(proves: readonly string[]): readonly string[] {
  const seen = moves?.list() ?? [];
  return [
    ...proves.filter((key) => isUnheard(key) || isUnseen(key, seen)).map((key) => `not shown: ${key}`),
    // A case may load a scenario, whose rows begin as anything.
    ...strangeMoves(seen.filter((move) => !move.includes('(new)'))).map((move) => `not in the document: ${move}`),
  ];
}

function isUnheard(key: string): boolean {
  const pattern = patternOf(key);
  return pattern !== null && !heard.some((text) => pattern.test(text));
}

function isUnseen(key: string, seen: readonly string[]): boolean {
  const step = stepOf(key);
  return step !== null && !seen.includes(step);
}

/**
 * Which states really changed: triggers of our own in the sandbox's file note every move, whoever makes it. So a case
 * that says it shows a move can be held to it, and one outside the document's list is noticed in any case or walk. A new
 * row comes from "(new)".
 */
export interface MovesSeen {
  /** Each as "machine from>to", since the last `forget`. */
  readonly list: () => readonly string[];
  readonly forget: () => void;
}

const entries: readonly (readonly [name: string, machine: Machine])[] = Object.entries(machines);

/** @param database a connection that may write, to the file of a sandbox that is idle */
export function watchMoves(database: DatabaseSync): MovesSeen {
  database.exec('PRAGMA busy_timeout = 5000');
  database.exec('CREATE TABLE IF NOT EXISTS seen_move (move TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  for (const [name, { table, column }] of entries) {
    database.exec(`CREATE TRIGGER IF NOT EXISTS "seen ${name}" AFTER UPDATE OF ${column} ON ${table}
      WHEN OLD.${column} <> NEW.${column}
      BEGIN INSERT OR IGNORE INTO seen_move VALUES ('${name} ' || OLD.${column} || '>' || NEW.${column}); END`);
    database.exec(`CREATE TRIGGER IF NOT EXISTS "new ${name}" AFTER INSERT ON ${table}
      BEGIN INSERT OR IGNORE INTO seen_move VALUES ('${name} (new)>' || NEW.${column}); END`);
  }
  database.exec(liveWithoutApproval);
  const all = database.prepare('SELECT move FROM seen_move ORDER BY 1');
  return {
    list: () => all.all().map((row) => String(row['move'])),
    forget: () => database.exec('DELETE FROM seen_move'),
  };
}

/**
 * "Campaign goes live only when eligibility criteria are met": a profile, an item and a keyword that are switched on and
 * approved, at the moment of the move. Noted as a move that is on no list.
 */
const liveWithoutApproval = `CREATE TRIGGER IF NOT EXISTS "live without approval" AFTER UPDATE OF status ON campaign
  WHEN NEW.status = 'live' AND OLD.status <> 'live' AND NEW.campaign_type <> 'sponsoredProducts' AND NOT (
    EXISTS (SELECT 1 FROM ad_item WHERE campaign_id = NEW.campaign_id AND status = 'enabled' AND review_status = 'approved')
    AND EXISTS (SELECT 1 FROM keyword WHERE campaign_id = NEW.campaign_id AND state = 'enabled' AND status = 'approved')
    AND (EXISTS (SELECT 1 FROM sba_profile WHERE campaign_id = NEW.campaign_id AND status = 'enabled'
           AND review_status = 'complete' AND review_reason IS NULL)
      OR EXISTS (SELECT 1 FROM ad_group_media WHERE campaign_id = NEW.campaign_id AND status = 'enabled'
           AND review_status = 'approved')))
  BEGIN INSERT OR IGNORE INTO seen_move VALUES ('campaign live without approval'); END`;

const allowed = new Set(documentMoves.map(({ machine, from, to }) => `${machine} ${from}>${to}`));

/** Those that are not on the document's list. */
export function strangeMoves(seen: readonly string[]): readonly string[] {
  return seen.filter((move) => !allowed.has(move));
}
