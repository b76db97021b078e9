import { expect, test } from 'vitest';
import { fileChecks } from '../../renderer/features/media/FileChecks.tsx';
import { DOCUMENT_LIMITS } from '../../shared/deployment/limits.ts';
import { RULES } from '../../shared/rules/registry.ts';

test('a logo of the right form passes every check, each with where its limit is from', () => {
  const checks = fileChecks(DOCUMENT_LIMITS, 'logo', []);
  expect(checks.every(({ outcome }) => outcome === 'passed')).toBe(true);
  expect(checks.map(({ name, source }) => [name, source !== null])).toContainEqual(['Exactly 100 × 100 pixels', true]);
});

test('an error fails its check, a warning is told apart, and the others pass', () => {
  const checks = fileChecks(DOCUMENT_LIMITS, 'video', [
    { rule: 'video.too-long', severity: 'error' },
    { rule: 'video.ratio', severity: 'warning' },
  ]);
  expect(Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]))).toMatchObject({
    'Length 5–45 seconds': 'failed',
    'Aspect ratio 16:9': 'warning',
    'MP4 or MOV file': 'passed',
  });
});

test.each(['video', 'logo'])('every rule about what the probe found in a %s belongs to a check', (type) => {
  const rules = RULES.filter(({ id, needs }) => id.startsWith(`${type}.`) && needs === 'media facts');
  expect(rules.length).toBeGreaterThan(0);
  for (const { id, severity } of rules) {
    if (severity === 'advice') continue;
    const outcomes = fileChecks(DOCUMENT_LIMITS, type, [{ rule: id, severity }]).map(({ outcome }) => outcome);
    expect([id, outcomes.includes('passed') && outcomes.some((outcome) => outcome !== 'passed')]).toEqual([id, true]);
  }
});
