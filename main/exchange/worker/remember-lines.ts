import { KINDS, kindCode } from '../../../shared/model/kinds.ts';
import { openDb } from '../../workspace/db/open-db.ts';
import { tableOf } from '../../workspace/schema/tables.ts';
import { stagedTable } from '../../workspace/staged/stage-file.ts';
import { LINES_DDL } from '../line-memory.ts';

/** Notes from which line each row of a stage came, once the writer has given the rows their ids. */
export function saveLineIndex(order: {
  readonly stage: string;
  readonly lines: string;
  readonly firstId: number;
}): null {
  const db = openDb(order.lines);
  try {
    db.exec(LINES_DDL);
    db.run('ATTACH DATABASE ? AS stage', order.stage);
    db.tx(() => {
      for (const kind of KINDS) {
        const code = kindCode(kind);
        db.run(
          `INSERT OR REPLACE INTO sheet_line SELECT ${code}, ? + at, line FROM stage.${stagedTable(tableOf(kind))}`,
          order.firstId,
        );
      }
      db.run('INSERT OR REPLACE INTO sheet_line SELECT kind, id, max(line) FROM stage.upd GROUP BY kind, id');
    });
    return null;
  } finally {
    db.close();
  }
}
