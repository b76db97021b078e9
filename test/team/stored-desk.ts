import { asNumber, asText } from '../../main/store/db/db.ts';
import type { OpenDb } from '../../main/store/db/open-db.ts';
import { teamState } from '../../main/store/team/team.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { LogEntry, TeamEntry } from '../../shared/team/position.ts';
import type { ModelServer } from './simulator/model-server.ts';

/** One computer of a team with a real workspace, before the log of the simulator. */
export type StoredStore = OwnStore & { readonly db: OpenDb };

export const ROWS_A_DESK = 100_000;

export class StoredDesk {
  readonly store: StoredStore;
  readonly number: number;

  constructor(number: number, store: StoredStore) {
    this.number = number;
    this.store = store;
    const firstRow = 1 + number * ROWS_A_DESK;
    store.team.join({ workspace: 'w', desk: number, member: number, incarnation: 1, firstRow, rows: ROWS_A_DESK });
    store.team.people([1, 2, 3, 4, 5].map((no) => ({ no, display: `Member ${no}` })));
  }

  /** Takes what is there and shares what is waiting, until there is nothing more. */
  share(server: ModelServer): void {
    for (let rounds = 0; rounds < 50; rounds++) {
      this.pull(server);
      if (this.store.team.offer() === null) return;
      this.push(server);
    }
    throw new Error('sharing never came to rest');
  }

  push(server: ModelServer, isHeard = true): void {
    const offer = this.store.team.offer();
    if (offer === null) return;
    KINDS_OF_SETS.set(offer.changes, offer.kind);
    const answer = server.append(offer);
    if (isHeard) this.store.team.answer(answer);
  }

  /** Reads the log to its end in answers of a few entries; a cut ends it before. */
  pull(server: ModelServer, most = 3, isCut: () => boolean = () => false): void {
    for (;;) {
      const { position } = this.state;
      const entries = server.after(position.seen, most);
      if (entries === null) {
        this.#goBack(server);
        continue;
      }
      this.store.team.fold(entries.map(entryOf));
      if (entries.length < most) {
        this.store.team.pulled();
        return;
      }
      if (isCut()) return;
    }
  }

  get state() {
    const state = teamState(this.store.db);
    if (state === null) throw new Error('no team');
    return state;
  }

  #goBack(server: ModelServer): void {
    const kept = this.store.db.all('SELECT seq, hash FROM team_log ORDER BY seq DESC');
    const last = kept.find(([seq, hash]) => server.hashAt(asNumber(seq)) === asText(hash));
    this.store.team.forget(last === undefined ? 0 : asNumber(last[0]));
  }
}

/** The model's log has no kinds of entries. */
const KINDS_OF_SETS = new WeakMap<object, TeamEntry['kind']>();

const entryOf = (entry: LogEntry): TeamEntry => ({
  ...entry,
  member: entry.desk,
  at: Date.UTC(2026, 4, 4, 12) + entry.seq * 1000,
  kind: KINDS_OF_SETS.get(entry.changes) ?? 'edit',
  label: `Entry ${entry.seq}`,
});
