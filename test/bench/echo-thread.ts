import { Worker } from 'node:worker_threads';

/** A thread that hands back the same rows whenever it is asked: what any store in a thread of its own costs at least. */
export function echoThread(rows: readonly unknown[]) {
  const echo = new Worker(
    `const { parentPort } = require('node:worker_threads');
     let rows = [];
     parentPort.on('message', (message) => { if (message) rows = message; else parentPort.postMessage(rows); });`,
    { eval: true },
  );
  echo.postMessage(rows);
  return {
    answered: () =>
      new Promise((resolve) => {
        echo.once('message', resolve);
        echo.postMessage(null);
      }),
    close: () => echo.terminate(),
  };
}
