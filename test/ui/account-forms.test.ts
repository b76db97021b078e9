import { expect, test } from 'vitest';
import { changeLocale } from '../../renderer/app/locale/current.ts';
import { localeOf } from '../../renderer/app/locale/locale.ts';
import { CONNECT_STEPS, stepOf, stepsAfter } from '../../renderer/features/accounts/ConnectDialog.tsx';
import {
  amountProblems,
  profileFields,
  profileText,
  typedOfText,
} from '../../renderer/features/settings/AccountSections.tsx';
import { asFileText, idFor, newRule, plainRule } from '../../renderer/features/settings/RulesSection.tsx';
import { readRulesFile } from '../../renderer/features/settings/rule-actions.ts';
import { DeploymentSettings, defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { shownLimits } from '../../shared/deployment/limits.ts';
import { formatProfile, parseProfile, profileDifference } from '../../shared/deployment/settings-text.ts';
import { parseUserRule } from '../../shared/rules/custom-rules.ts';

const shown = (profile: DeploymentSettings) => ({
  text: formatProfile(profile),
  differences: [...profileDifference(profile, defaultDeploymentSettings())],
  notes: [],
  limits: shownLimits(profile),
});

test('every setting of the deployment has a name in words, but those that were proven with the connection', () => {
  const fields = profileFields(shown(defaultDeploymentSettings()));
  expect(fields.filter(({ key, name }) => key === name)).toEqual([]);
  expect(fields.map(({ key }) => key)).not.toContain('retail.host');
});

test('only what is otherwise than usual is stored, and read back it is the same profile', () => {
  const profile = DeploymentSettings.parse({ rate: { opsPerHour: 40 }, bid: { floorItemCents: 25 } });
  const fields = profileFields(shown(profile));
  expect(profileText(fields, {})).toBe('rate.opsPerHour=40\nbid.floor.item=0.25\n');
  const back = parseProfile(profileText(fields, { 'adItems.max': '12', 'bid.floor.item': ' ' }));
  expect(back.ok && back.value).toEqual(DeploymentSettings.parse({ rate: { opsPerHour: 40 }, adItems: { max: 12 } }));
});

test('what was typed as text is in the fields, and a line that no field has is named', () => {
  const german = localeOf('de-DE');
  const fields = profileFields(shown(DeploymentSettings.parse({ rate: { opsPerHour: 40 } })), german);
  const text = '# note\nbid.floor.item=0.25\n adItems.max = 12\n';
  const { typed, unread } = typedOfText(fields, text, german);
  expect(unread).toEqual([]);
  expect(typed).toMatchObject({ 'bid.floor.item': '0,25', 'adItems.max': '12' });
  // A setting that the text leaves out has its default again.
  expect(profileText(fields, typed, german).split('\n').sort()).toEqual(['', 'adItems.max=12', 'bid.floor.item=0.25']);
  const wrong = ['rate.perHour=4', 'no value', 'adItems.max=1', 'adItems.max=2'];
  expect(typedOfText(fields, wrong.join('\n'), german).unread).toEqual([wrong[0], wrong[1], wrong[3]]);
});

test('limits are shown and typed with the decimal mark of the locale, and stored with a point', () => {
  const german = localeOf('de-DE');
  const fields = profileFields(shown(DeploymentSettings.parse({ bid: { floorItemCents: 25 } })), german);
  expect(fields.find(({ key }) => key === 'bid.floor.item')).toMatchObject({ value: '0,25' });
  expect(profileText(fields, { 'bid.floor.item': '1,5' }, german)).toBe('bid.floor.item=1.5\n');
  const typed = { 'bid.floor.item': '1.234', 'media.seconds': '1.234' };
  expect(amountProblems(fields, typed, german)).toEqual([
    expect.stringContaining('"1.234" can mean 1234 or 1,234. Enter the one you want.'),
  ]);
  expect(profileText(profileFields(shown(defaultDeploymentSettings()), german), {}, german)).toBe('');
});

test('lists, ranges and words are shown as people write them, and stored as the text has them', () => {
  const profile = DeploymentSettings.parse({ upload: { hosts: ['a.example', 'b.example'] } });
  const fields = profileFields(shown(profile));
  const of = (wanted: string) => fields.find(({ key }) => key === wanted);
  expect([of('upload.hosts'), of('picture.hosts'), of('media.seconds')].map((field) => field?.value)).toEqual([
    'a.example, b.example',
    '',
    '5–45',
  ]);
  expect(of('campaign.uniqueName')?.choices).toEqual([
    ['true', 'Yes'],
    ['false', 'No'],
  ]);
  expect(of('report.attributionWindow')?.choices?.map(([, name]) => name)).toContain('14 days');
  const typed = { 'upload.hosts': '', 'picture.hosts': 'c.example, d.example', 'media.seconds': '6 - 30' };
  const stored = profileText(fields, typed);
  expect(stored).toBe('media.seconds=6..30\npicture.hosts=[c.example, d.example]\n');
  expect(parseProfile(stored).ok).toBe(true);
  expect(profileText(fields, { 'upload.hosts': '[a.example]' })).toBe('upload.hosts=[a.example]\n');
});

test('a step that failed leaves those before it proven and those behind it untried', () => {
  expect(stepsAfter('token').map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'open', 'open', 'open']);
  expect(new Set(stepsAfter(null).map(({ state }) => state))).toEqual(new Set(['running']));
});

test('each refusal of a connection belongs to a step, but one about where secrets are kept', () => {
  const refusals = ['base-url', 'retail-host', 'key', 'key-locked', 'token', 'unreachable', 'clock', 'access'];
  expect(new Set(refusals.map(stepOf))).toEqual(new Set(CONNECT_STEPS));
  expect(stepOf('secrets')).toBeNull();
});

test('a rule gets an id from its name that main takes and nobody else has', () => {
  expect(idFor('Bids above 5!', new Set())).toBe('bids-above-5');
  expect(idFor('Bids above 5', new Set(['bids-above-5', 'bids-above-5-2']))).toBe('bids-above-5-3');
  for (const name of ['Éclairs', '日本', '  ', '-', 'x'.repeat(200)]) {
    const rule = { ...newRule(), name: 'Any', query: 'bid>5', id: idFor(name, new Set()) };
    expect(parseUserRule(rule).ok, name).toBe(true);
  }
});

test('the condition of a rule is typed with the decimal mark of the locale, and kept with a point', () => {
  changeLocale('de-DE');
  try {
    expect(plainRule({ ...newRule(), query: 'bid>1,5' })).toMatchObject({ ok: true, value: { query: 'bid>1.5' } });
    expect(plainRule({ ...newRule(), query: 'bid:1,5' })).toMatchObject({ ok: false });
  } finally {
    changeLocale('en-GB');
  }
});

test('rules saved as a file are read by whoever keeps rules', () => {
  const rule = { ...newRule(), problem: null, id: 'dear', name: 'Dear', query: 'bid>5' };
  expect(readRulesFile(asFileText([rule]))).toEqual({
    ok: true,
    value: [
      { id: 'dear', name: 'Dear', kind: 'keyword', severity: 'warning', query: 'bid>5', enabled: true, samples: [] },
    ],
  });
});
