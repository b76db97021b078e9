import { expect, test } from 'vitest';
import { createCallPriority } from '../../main/store/worker/call-priority.ts';
import { createCheckDelay, createReaderActivity, recordRead } from '../../main/store/worker/reader-activity.ts';

/** Questions that are answered when the test says so, and the order in which they were put. */
function aThread() {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const ask = (name: string) => () =>
    new Promise<string>((resolve) => {
      asked.push(name);
      answers.set(name, () => resolve(name));
    });
  return { asked, ask, answer: (name: string) => answers.get(name)?.() };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await turn();
};

test('rows that are asked for right after counts are read before them', async () => {
  const { asked, ask } = aThread();
  const lanes = createCallPriority();
  void lanes.count(ask('errors'));
  void lanes.count(ask('totals'));
  void lanes.rows(ask('window'));
  await turns();
  expect(asked).toEqual(['window']);
});

test('counts follow one another, each once the one before is answered, whatever became of it', async () => {
  const { asked, ask, answer } = aThread();
  const lanes = createCallPriority();
  const failing = lanes.count(() => Promise.reject(new Error('gone')));
  const first = lanes.count(ask('first'));
  const second = lanes.count(ask('second'));
  await expect(failing).rejects.toThrow('gone');
  await turns();
  expect(asked).toEqual(['first']);
  answer('first');
  await turns();
  expect(asked).toEqual(['first', 'second']);
  answer('second');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  await lanes.over();
});

test('a count waits for the rows that are being read, and not for those that are asked for later', async () => {
  const { asked, ask, answer } = aThread();
  const lanes = createCallPriority();
  void lanes.rows(ask('window'));
  void lanes.count(ask('errors'));
  await turns();
  void lanes.rows(ask('next window'));
  answer('window');
  await turns();
  expect(asked).toEqual(['window', 'next window', 'errors']);
});

test('a slice of checks waits after a glance at rows, and is never put off for good', () => {
  const glances = createReaderActivity();
  const waits = createCheckDelay(glances);
  expect(waits()).toBe(0);
  recordRead(glances);
  expect(waits()).toBeGreaterThan(0);
  expect(waits()).toBe(0);
  const whileScrolling = Array.from({ length: 12 }, () => {
    recordRead(glances);
    return waits();
  });
  expect(whileScrolling.filter((ms) => ms === 0)).toHaveLength(2);
});
