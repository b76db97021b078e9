import { parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { exportSheet } from './export-sheet.ts';
import { ImportSession } from './import-session.ts';
import type { ExchangeCalls, ExchangeNews } from './protocol.ts';
import { saveLineIndex } from './remember-lines.ts';
import { stageImport } from './stage-import.ts';
import { writeErrorRows } from './write-failed.ts';

/** Where the thread of an import or an export starts. */
function answer(port: NonNullable<typeof parentPort>): void {
  let session: ImportSession | null = null;
  const current = (): ImportSession => {
    if (session === null) throw new Error('the thread was asked about a sheet before it had read one');
    return session;
  };
  let told = 0;
  /** Says how much is done a hundred times at most, however often it is called. */
  const tellShare = (done: number): void => {
    if (done < told) told = 0;
    if (done - told < 0.01) return;
    told = done;
    void main.share.asEvent(done);
  };
  const calls: ExchangeCalls = {
    read: async (order) => {
      const reading = new ImportSession(order);
      const read = await reading.read(tellShare);
      if (read.ok) session = reading;
      return read;
    },
    noteFileProblems: (problems) => {
      current().noteFileProblems(problems);
      return current().summary();
    },
    leaveOut: (out) => current().leaveOut(out, tellShare),
    comingIn: (choice, lines) => current().comingIn(choice, lines),
    becoming: (lines) => current().becoming(lines),
    window: (filter, from, count) => current().window(filter, from, count),
    stage: (order) => stageImport(current(), order, tellShare),
    rememberLines: saveLineIndex,
    writeFailed: (target, format) => writeErrorRows(current(), target, format),
    exportSheet: (order) => exportSheet(order, tellShare),
    // In a thread this ends the thread alone, and only once the turn that runs now is over.
    close: () => setImmediate(() => process.exit()),
  };
  const main = createBirpc<ExchangeNews, ExchangeCalls>(calls, {
    post: (message) => port.postMessage(message),
    on: (listener) => port.on('message', listener),
    timeout: -1,
  });
}

if (parentPort !== null) answer(parentPort);
