import { expect, test } from 'vitest';
import { helpText, readArguments } from '../../main/hosts/cli/command.ts';
import { printable, table } from '../../main/hosts/cli/output.ts';
import { COMMANDS } from '../../main/hosts/cli/run.ts';

const read = (...args: string[]) => readArguments(COMMANDS, args);

test('a verb of two words is found wherever the options stand', () => {
  expect(read('--data', '/tmp/x', 'account', 'add', '--name', 'A', '--practice')).toMatchObject({
    command: { name: 'account add' },
    options: { data: '/tmp/x', name: 'A', practice: true },
    positionals: [],
  });
  expect(read('media', 'add', 'a.mp4', 'b.vtt', '--json').positionals).toEqual(['a.mp4', 'b.vtt']);
});
test('every verb of the design is there', () => {
  const names = COMMANDS.map(({ name }) => name);
  const promised = [
    'account add',
    'account list',
    'account remove',
    'refresh',
    'import',
    'export',
    'media add',
    'media list',
  ];
  promised.push(
    'check',
    'plan',
    'sync',
    'review submit',
    'review status',
    'review cancel',
    'report fetch',
    'backup',
    'restore',
  );
  promised.push('questions', 'answer', 'practice clock', 'practice decide');
  expect(names).toEqual(expect.arrayContaining(promised));
});
test.each([
  [['acount', 'add'], 'knows no "acount add"'],
  [['account'], 'account add, account list, account remove'],
  [['check', '--colour'], 'adslate check'],
  [['import'], 'adslate import FILE'],
  [['answer', '3'], 'adslate answer ID'],
  [['status', '--data', ''], '--data is empty'],
  [['status', '--account='], '--account is empty'],
])('%j is answered with what to write instead', (args, hint) => expect(() => read(...args)).toThrow(hint));
test('no verb at all shows the help with every verb', () => {
  expect(read().command).toBeNull();
  const help = helpText(COMMANDS, null);
  for (const { name } of COMMANDS) expect(help).toContain(name);
});
test('texts from outside cannot steer the terminal', () => {
  expect(printable('a\u001b[31mb\u009bc')).toBe('a\uFFFD[31mb\uFFFDc');
});
test('tables line up', () => {
  expect(table(['A', 'Long'], [['xxx', '1']])).toEqual(['A    Long', 'xxx  1']);
});
