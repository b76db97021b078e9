import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftFrom, draftRows, EMPTY_DRAFT } from '../../renderer/features/campaign-form/draft.ts';
import { filledName, STARTERS } from '../../renderer/features/campaign-form/NewCampaignScreen.tsx';

const facts = { today: '2030-06-01', start: '2030-07-01', end: '' };

test('days stand for their tokens, and a token without a day stays to be seen', () => {
  expect(filledName('Pots [month] from [START]', facts)).toBe('Pots 2030-06 from 2030-07-01');
  expect(filledName('[today] until [end]', facts)).toBe('2030-06-01 until [end]');
  expect(filledName('Pots [season]', facts)).toBe('Pots [season]');
});

test('a name without tokens is never changed', () => {
  const name = fc.string().filter((text) => !/\[(today|month|start|end)\]/i.test(text));
  fc.assert(
    fc.property(name, (text) => {
      expect(filledName(text, facts)).toBe(text);
    }),
  );
});

test.each(STARTERS)('$name makes a campaign as soon as it is chosen', ({ shape, form }) => {
  const draft = draftFrom(form);
  const rows = draftRows(shape, { ...draft, name: filledName(draft.name, facts) });
  if (!rows.ok) throw new Error(rows.error.text);
  expect(rows.value[0]?.values['name']).toMatch(/ 2030-06$/);
  expect(rows.value[0]?.values['dailyBudget']).toBeGreaterThan(0);
});

test('a stored form is read field by field: missing ones are empty, unknown ones are passed over', () => {
  expect(draftFrom({ name: 'Pots', season: 'spring' })).toEqual({ ...EMPTY_DRAFT, name: 'Pots' });
  expect(draftFrom({ ...EMPTY_DRAFT, keywords: 'pot\npan' })).toEqual({ ...EMPTY_DRAFT, keywords: 'pot\npan' });
});
