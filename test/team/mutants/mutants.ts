import type { ProtocolMutant } from '../../sync/mutants/mutants.ts';

const SERVER = 'test/team/simulator/model-server.ts';
const POSITION = 'shared/team/position.ts';

const mutant = (name: string, takesAway: string, ...edits: readonly [string, string, string][]): ProtocolMutant => ({
  name,
  takesAway,
  edits: edits.map(([file, from, to]) => ({ file, from, to })),
});

/** Faults to plant in what the computers of a team agree on, one at a time; the simulator has to notice each. */
export const TEAM_MUTANTS: readonly ProtocolMutant[] = [
  mutant('no scope check', 'a push is taken although a colleague has written to its campaign', [
    SERVER,
    "return 'behind';",
    '{}',
  ]),
  mutant(
    'no push numbers',
    'the same push is taken twice',
    [SERVER, "if (push <= last) return 'duplicate';", ''],
    [SERVER, "if (push > last + 1) return 'gap';", ''],
  ),
  mutant('theirs wins', "a colleague's value takes the place of an own one that is not shared yet", [
    'shared/team/fold.ts',
    'if (!cell.isAhead) return taken;',
    'return taken;',
  ]),
  mutant('no hash chain', 'a log that has forgotten entries looks like the one it was', [
    SERVER,
    'return this.hashAt(seq) === hash ? this.#log.slice(seq, seq + most) : null;',
    'return this.#log.slice(seq, seq + most);',
  ]),
  mutant('an answer moves the state', 'a push counts as shared by its answer, not by the log', [
    'test/team/simulator/model-desk.ts',
    'this.position = afterAnswer(this.position, answer);',
    `const pushed = this.position.offered;
    if (answer === 'ok' && pushed !== null) foldChangeSet(this.rows, pushed.changes, true);
    this.position = answer === 'ok' && pushed !== null ? { ...this.position, offered: null, lastPush: pushed.push } : afterAnswer(this.position, answer);`,
  ]),
  mutant('behind taken for done', 'a refused push counts as shared', [
    'test/team/simulator/model-desk.ts',
    'this.position = afterAnswer(this.position, answer);',
    `const pushed = this.position.offered;
    if (answer === 'behind' && pushed !== null) foldChangeSet(this.rows, pushed.changes, true);
    this.position = afterAnswer(this.position, answer);`,
  ]),
  mutant('the next push before the log', 'a computer goes on pushing before it has looked', [
    POSITION,
    "return answer === 'wait' ? position : { ...position, mustPull: true };",
    "return answer === 'ok' && position.offered ? { ...position, offered: null, lastPush: position.offered.push } : { ...position, mustPull: answer !== 'wait' };",
  ]),
  mutant(
    'cells read before the log, place after it',
    'what a push says it has seen is newer than its cells',
    [
      'test/team/simulator/model-desk.ts',
      'this.position = nextPush(this.position, () => shareOf(this.rows, this.rows.all()));',
      `const before = this.lastShare ?? shareOf(this.rows, this.rows.all());
    this.lastShare = shareOf(this.rows, this.rows.all());
    this.position = nextPush(this.position, () => before);`,
    ],
    [
      'test/team/simulator/model-desk.ts',
      'readonly rows = new ModelRows();',
      'lastShare: ReturnType<typeof shareOf> | undefined; readonly rows = new ModelRows();',
    ],
  ),
  mutant('rows for scopes', 'a push names the rows it writes to, not their campaigns', [
    'shared/team/share.ts',
    'scopes.add(path.at(-1)?.row ?? row);',
    'scopes.add(row);',
  ]),
  mutant(
    'children do not wait',
    'a new row is shared although its parent waits for an answer',
    [
      'shared/team/share.ts',
      'if (path.some(({ isInConflict }) => isInConflict)) continue;',
      'if (path[0]?.isInConflict) continue;',
    ],
    [
      'shared/team/share.ts',
      'if (isHere && above !== undefined && !above.isShared && !isMade.has(above.row)) continue;',
      '',
    ],
  ),
  mutant('a place without its hash', 'a push is based on a number, whichever entry has it now', [
    SERVER,
    "if (this.hashAt(based.seq) !== based.hash) return 'other-history';",
    "if (this.hashAt(based.seq) === null) return 'other-history';",
  ]),
];
