import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, inSight, placeAt, type RuleLines } from '../../renderer/features/issues/IssuesTab.tsx';

const groupsOf = (counts: readonly number[]): readonly RuleLines[] =>
  counts.map((lines, at) => ({ rule: `rule ${at}`, lines }));
const counts = fc.array(fc.nat({ max: 6 }), { maxLength: 6 });

/** Every line as it should be, from the top. */
const written = (groups: readonly RuleLines[]) =>
  groups.flatMap(({ rule, lines }) => [
    { rule, place: 'title' as const },
    ...Array.from({ length: lines }, (_, place) => ({ rule, place })),
  ]);

test('each rule has its title above its issues, and nothing stands below the last', () => {
  fc.assert(
    fc.property(counts, (drawn) => {
      const groups = groupsOf(drawn);
      const lines = written(groups);
      expect(countLines(groups)).toBe(lines.length);
      expect(lines.map((_, index) => placeAt(groups, index))).toEqual(lines);
      expect(placeAt(groups, lines.length)).toBeNull();
    }),
  );
});

test('what is in sight is asked of each list, no more and no less', () => {
  fc.assert(
    fc.property(counts, fc.nat({ max: 50 }), fc.nat({ max: 50 }), (drawn, from, length) => {
      const groups = groupsOf(drawn);
      const asked = inSight(groups, from, from + length).flatMap((part) =>
        Array.from({ length: part.to - part.from }, (_, at) => ({ rule: part.rule, place: part.from + at })),
      );
      const seen = written(groups).slice(from, from + length);
      expect(asked).toEqual(seen.filter(({ place }) => place !== 'title'));
    }),
  );
});
