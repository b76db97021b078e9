import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { stopWorker } from '../../main/app/workers.ts';
import { createProber } from '../../main/files/probe/prober.ts';
import { startPracticeService } from '../../main/practice/practice-service.ts';
import { WorkspaceClosed } from '../../main/store/worker/pending-calls.ts';
import { anExchange } from '../exchange/an-exchange.ts';
import { aFolder } from '../workspace/a-workspace.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A thread that says when it runs, and does then what it is given, with every message it gets. */
async function aThread(onMessage: string): Promise<Worker> {
  const code = `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', () => { ${onMessage} });
    parentPort.postMessage('up');`;
  const worker = new Worker(code, { eval: true });
  await once(worker, 'message');
  return worker;
}

test('a thread that closes when it is told to ends by itself', async () => {
  const worker = await aThread('parentPort.close()');
  worker.unref();
  worker.postMessage('close');
  expect(await stopWorker(worker)).toBe('by itself');
});
test('a thread that is stuck is ended from outside, after the limit', async () => {
  const worker = await aThread('for (;;);');
  worker.postMessage('close');
  expect(await stopWorker(worker, 50)).toBe('from outside');
});
test('for one that has ended already nobody waits', async () => {
  const worker = await aThread('process.exit()');
  const ended = once(worker, 'exit');
  worker.postMessage('close');
  await ended;
  expect(await stopWorker(worker)).toBe('by itself');
});
test('an account whose sheets, media and service were used is closed without ending a thread from outside', async () => {
  const ended = vi.spyOn(Worker.prototype, 'terminate');
  const folder = aFolder();
  const sheet = join(folder, 'sheet.csv');
  const rows = Array.from({ length: 2000 }, (_, row) => `Campaign ${row},sponsoredProducts,auto,50`);
  writeFileSync(sheet, ['Campaign name,Campaign type,Targeting,Daily budget', ...rows].join('\n'));

  const desk = await anExchange(join(folder, 'data'));
  await desk.preview(await desk.grant(sheet));
  const looked = await desk.preview(await desk.grant(sheet));
  await desk.dismiss(looked.previewId);
  // One preview is left open, and one is under way when everything closes.
  const late = expect(desk.tryPreview(await desk.grant(sheet))).rejects.toThrow(WorkspaceClosed);
  await desk.close();
  await late;

  const prober = createProber();
  expect(await prober.probe(sheet)).toMatchObject({ ok: false });
  await prober.close();
  const service = await startPracticeService(join(folder, 'service'));
  if (!service.ok) throw new Error(service.error.detail);
  await service.value.close();
  expect(ended).not.toHaveBeenCalled();
});
test('a service that cannot start is not ended from outside either', async () => {
  const ended = vi.spyOn(Worker.prototype, 'terminate');
  const folder = aFolder();
  writeFileSync(join(folder, 'sandbox.db'), 'no database at all, and long enough to be looked at as one'.repeat(99));
  expect(await startPracticeService(folder)).toMatchObject({ ok: false });
  expect(ended).not.toHaveBeenCalled();
});
