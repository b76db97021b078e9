import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnyValues } from '../../shared/model/fields.ts';
import { type AnyRow, DELETED, differingBits } from '../../shared/model/row.ts';
import { remoteId } from '../../shared/model/scalars.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { type Plan, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { contentOf, offeredRows } from '../../shared/plan/sign-off.ts';
import {
  aCampaign,
  aKeyword,
  aLogo,
  anAdGroup,
  anSbaProfile,
  aTree,
  aVideo,
  aVideoTree,
  cents,
  id,
  planInput,
  profile as settings,
} from './builders.ts';

const brandTree = (profile: AnyRow & { readonly kind: 'sbaProfile' }, logo = 'bb') =>
  aTree({
    campaign: aCampaign({ campaignType: 'sba', serviceStatus: 'live' }, { remote: '1' }),
    adGroups: [anAdGroup({}, { remote: '2' })],
    sbaProfiles: [profile],
    media: [aLogo({ sha256: logo })],
  });

/** What a plan would send of the only changed row, as two people would compare it. */
const sentOf = ({ batches }: Plan): unknown =>
  batches.flatMap(({ verb, kind, elements }) =>
    kind === 'review'
      ? []
      : elements.map(({ body, changed, sent }) => [
          verb,
          changed.length === 0 ? body : [changed, changed.map((field) => sent[field])],
        ]),
  );

/** Here one request creates a keyword in its state, so that each send is one request. */
const family = { ...settings, wire: { ...settings.wire, dialect: 'family' as const } };

describe('what somebody signs off', () => {
  test('is the same text exactly when the same would be sent', () => {
    const bids = fc.constantFrom(100, 150);
    const words = fc.constantFrom('enabled', 'paused', 'archived');
    const keywords = fc
      .record({
        isNew: fc.boolean(),
        isDeleted: fc.boolean(),
        bid: bids,
        state: words,
        text: fc.constantFrom('paper', 'towel'),
        group: fc.constantFrom(2, 3),
      })
      .map(({ isNew, isDeleted, bid, state, text, group }) => {
        const at = {
          adGroupId: isNew ? group : 2,
          ...(isNew ? {} : { remote: '4' }),
          was: { bid: cents(100), state: 'enabled' as const },
          marks: isDeleted ? DELETED : 0,
        };
        return aKeyword({ bid: cents(bid), state, text: isNew ? text : 'paper' }, at);
      });
    const planOf = (keyword: ReturnType<typeof aKeyword>) =>
      sentOf(
        planChanges(
          planInput(
            [
              aTree({
                campaign: aCampaign({}, { remote: '1' }),
                adGroups: [anAdGroup({}, { remote: '2' }), anAdGroup({}, { id: 3, remote: '3' })],
                keywords: [keyword],
              }),
            ],
            { capabilities: WITH_EXTENSIONS, submit: false, profile: family },
          ),
        ),
      );
    fc.assert(
      fc.property(keywords, keywords, (one, other) => {
        const [sent, others] = [planOf(one), planOf(other)];
        fc.pre(JSON.stringify(sent) !== '[]' && JSON.stringify(others) !== '[]');
        expect(contentOf(one, []) === contentOf(other, [])).toBe(JSON.stringify(sent) === JSON.stringify(others));
      }),
    );
  });

  test('covers what is left of a row after each of its requests, and nothing else', () => {
    const texts = fc.constantFrom('Softly', 'Softer');
    const profiles = fc.record({
      isNew: fc.boolean(),
      brand: texts,
      status: fc.constantFrom('enabled', 'disabled'),
      logo: fc.constantFrom(null, id(11)),
    });
    const campaigns = fc.record({
      isNew: fc.boolean(),
      daily: fc.constantFrom(5000, 6000),
      status: fc.constantFrom('enabled', 'paused'),
    });
    fc.assert(
      fc.property(profiles, campaigns, (one, whole) => {
        const at = (isNew: boolean, remote: string) => (isNew ? {} : { remote });
        const profile = anSbaProfile(
          { brand: one.brand, status: one.status, logo: one.logo },
          { ...at(one.isNew, '5'), was: { brand: 'Softly', status: 'disabled', logo: null } },
        );
        const campaign = aCampaign(
          { campaignType: 'sba', dailyBudget: cents(whole.daily), status: whole.status },
          { ...at(whole.isNew, '1'), was: { dailyBudget: cents(5000), status: 'enabled' } },
        );
        let tree = { ...brandTree(profile), campaign };
        const plan = planChanges(planInput([tree], { capabilities: WITH_EXTENSIONS, submit: false }));
        const offered = offeredRows(plan, [tree]);
        const signed = new Map(offered.map(({ kind, contents }) => [kind, contents]));
        const steps = new Map(offered.map((row) => [row.kind, row.steps]));
        for (let requests = 0; requests < 12; requests++) {
          const [next] = planChanges(
            planInput([tree], {
              capabilities: WITH_EXTENSIONS,
              submit: false,
              hasErrors: (kind) => kind === 'adGroup',
            }),
          ).batches;
          const [element] = next?.elements ?? [];
          if (element === undefined) break;
          const row = element.kind === 'campaign' ? tree.campaign : tree.sbaProfiles[0];
          expect(signed.get(element.kind)).toContain(contentOf(row as AnyRow, tree.media));
          steps.set(element.kind, (steps.get(element.kind) ?? 0) - 1);
          tree =
            element.kind === 'campaign'
              ? { ...tree, campaign: confirmed(tree.campaign, element.sent) }
              : { ...tree, sbaProfiles: tree.sbaProfiles.map((it) => confirmed(it, element.sent)) };
        }
        expect([...steps.values()].filter((left) => left !== 0)).toEqual([]);
      }),
    );
  });

  test('holds files by their content, and a video with its name and its caption', () => {
    const profile = anSbaProfile({ logo: id(11) }, { remote: '5', was: { logo: null } });
    const [logo, other] = [brandTree(profile), brandTree(profile, 'b2')];
    expect(contentOf(profile, logo.media)).not.toBe(contentOf(profile, other.media));
    const tree = aVideoTree();
    const [video] = tree.videoProfiles;
    if (video === undefined) throw new Error('no profile');
    const withMedia = (...media: Parameters<typeof aVideo>) =>
      contentOf(video, [aVideo(...media), ...tree.media.slice(1)]);
    const same = withMedia({ caption: id(10) });
    expect(contentOf(video, tree.media)).toBe(same);
    // Uploaded by an earlier request, it is the same video.
    expect(withMedia({ caption: id(10), mediaState: 'available' }, { remote: '77' })).toBe(same);
    for (const changed of [
      { sha256: 'a2', caption: id(10) },
      { mediaName: 'Autumn cut', caption: id(10) },
      { caption: null },
    ])
      expect(withMedia(changed)).not.toBe(same);
  });

  test('stays here with its reason and keeps what belongs to it, and no review is asked for', () => {
    const tree = aVideoTree();
    const plan = planChanges(
      planInput([tree], {
        signOffOf: ({ kind, id: row }) =>
          kind === 'keyword' && row === 40
            ? 'changed-since-sign-off'
            : kind === 'videoProfile'
              ? 'needs-sign-off'
              : 'signed-off',
      }),
    );
    expect(plan.leftOut).toEqual([
      { kind: 'keyword', id: 40, reason: 'changed-since-sign-off' },
      { kind: 'videoProfile', id: 6, reason: 'needs-sign-off' },
    ]);
    expect(plan.uploads).toEqual([]);
    expect(plan.batches.some(({ kind }) => kind === 'review')).toBe(false);
    const none = planChanges(planInput([tree], { signOffOf: () => 'needs-sign-off' }));
    expect([none.batches, new Set(none.leftOut.map(({ reason }) => reason))]).toEqual([
      [],
      new Set(['needs-sign-off', 'parent-left-out']),
    ]);
  });
});

/** A row when the service has taken what was sent. */
function confirmed<R extends AnyRow>(row: R, sent: AnyValues): R {
  const values: AnyValues = row.values;
  const before: AnyValues = row.base ?? (row.remoteId === null ? {} : values);
  const base = Object.fromEntries(Object.keys(values).map((field) => [field, { ...before, ...sent }[field] ?? null]));
  const bits = differingBits(row.kind, values, base);
  return { ...row, remoteId: row.remoteId ?? remoteId('77'), base, dirty: bits };
}
