import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../main/app/clock.ts';
import { connect } from '../../main/core/active-account.ts';
import { pictureHosts } from '../../main/files/pictures/pictures.ts';
import { addressRule, createUploadUrlExpiry } from '../../main/files/upload/upload-url-check.ts';
import { businessDayOf } from '../../main/practice/practice-service.ts';
import { createJobStore, createReportJobs } from '../../main/reports/report-jobs.ts';
import { createReportService } from '../../main/reports/report-service.ts';
import { createSnapshotStore } from '../../main/reports/report-store.ts';
import { openWorkspace } from '../../main/store/workspace.ts';
import { nextPollMinutes } from '../../main/sync/poll-scheduler.ts';
import { waitAfterLimit } from '../../main/sync/retry.ts';
import { type DeploymentSettings, defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { shownLimits } from '../../shared/deployment/limits.ts';
import {
  formatProfile,
  PROFILE_KEYS,
  parseProfile,
  profileNotes,
  RETIRED_KEYS,
} from '../../shared/deployment/settings-text.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { isYesterdayReady, spansToFetch } from '../../shared/reports/metric-calendar.ts';
import { err, ok } from '../../shared/result.ts';
import { checkAccount, checkCampaign, checkMedia } from '../../shared/rules/check.ts';
import {
  aCampaign,
  aKeyword,
  aLogo,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aPlacement,
  aPlatform,
  aTree,
  aVideo,
  aVideoTree,
  cents,
  day,
  env,
  planInput,
} from '../shared/builders.ts';
import { aClock, aFolder, done } from '../store/a-workspace.ts';

/**
 * Every key of the deployment settings is read by something: with another value something else comes out. A key that
 * changes nothing does not belong into the settings.
 */
type See = (profile: DeploymentSettings) => unknown;

/** What the rules say of campaigns that are near every limit. */
const judged: See = (profile) => {
  const with_ = { ...env, profile };
  const sba = aCampaign({ campaignType: 'sba', targetingType: 'manual', startDate: day('2026-05-03') });
  const trees = [
    aVideoTree({
      adItems: [anAdItem({ bid: cents(40) }), anAdItem({ itemId: '0012345679', bid: cents(9_000) }, { id: 31 })],
    }),
    aVideoTree({ keywords: [aKeyword({ bid: cents(160) }), aKeyword({ matchType: 'broad' }, { id: 41 })] }),
    aVideoTree({ adGroups: [anAdGroup(), anAdGroup({ name: 'Second' }, { id: 20 })] }),
    aTree({
      campaign: sba,
      adGroups: [anAdGroup()],
      sbaProfiles: [
        anSbaProfile({ clickUrl: 'https://www.retailer.example/a:b' }),
        anSbaProfile({ status: 'enabled', headline: 'Another one' }, { id: 51 }),
      ],
      adItems: [anAdItem(), anAdItem({ itemId: '0012345679' }, { id: 31 })],
      media: [aLogo()],
    }),
    aTree({
      campaign: aCampaign({ campaignType: 'sponsoredProducts', targetingType: 'auto' }),
      adGroups: [anAdGroup()],
      adItems: [anAdItem(), anAdItem({ itemId: '0012345679' }, { id: 31 })],
      placementMultipliers: [aPlacement({ multiplier: 1000 as never })],
      platformMultipliers: [aPlatform({ multiplier: 1000 as never })],
    }),
    aTree({
      campaign: aCampaign({ campaignType: 'sponsoredProducts', targetingType: 'manual' }),
      adGroups: [anAdGroup()],
      placementMultipliers: [aPlacement({ placement: 'Search Ingrid' })],
    }),
  ];
  const legacy = checkCampaign(aVideoTree({ adItems: [anAdItem({ itemId: 'prod4455' })] }), {
    ...with_,
    migrated: false,
  });
  const named = [aCampaign({ name: 'Twice' }), aCampaign({ name: 'Twice' }, { id: 12 })].map(
    ({ id, campaignId, values, dirty }) => ({
      id,
      campaignId: campaignId ?? id,
      name: values.name,
      dirty,
    }),
  );
  return [
    trees.map((tree) => checkCampaign(tree, with_)),
    legacy,
    [aVideo(), aLogo()].map((row) => checkMedia(row, with_)),
    checkAccount(named as never, [], with_),
  ];
};

/** The requests that a plan makes of changed campaigns. */
const planned: See = (profile) => {
  const changed = { remote: '7', was: { multiplier: 900 } } as const;
  const trees = [
    aVideoTree({
      keywords: [aKeyword(), aKeyword({ text: 'second' }, { id: 41 }), aKeyword({ text: 'third' }, { id: 42 })],
    }),
    aTree({
      campaign: aCampaign({ campaignType: 'sponsoredProducts', targetingType: 'auto' }, { remote: '5' }),
      adGroups: [anAdGroup({}, { remote: '6' })],
      adItems: [anAdItem(), anAdItem({ itemId: '0012345679' }, { id: 31 })],
      platformMultipliers: [aPlatform({ multiplier: 1000 as never }, changed as never)],
    }),
    aTree({
      campaign: aCampaign({ campaignType: 'sba', targetingType: 'manual' }, { remote: '5' }),
      adGroups: [anAdGroup({}, { remote: '6' })],
      sbaProfiles: [anSbaProfile({ clickUrl: 'https://www.retailer.example/a:b' })],
    }),
  ];
  const plans = [undefined, WITH_EXTENSIONS].map((capabilities) =>
    planChanges(planInput(trees, { profile, submit: false, ...(capabilities === undefined ? {} : { capabilities }) })),
  );
  return plans.map(({ batches }) => batches.map(({ method, path, elements }) => ({ method, path, elements })));
};

// The day before in Los Angeles.
const NIGHT = Date.UTC(2026, 4, 4, 0, 30);
const clock = { nowMs: () => NIGHT, monotonicMs: () => 60_000, sleep: async () => undefined };

const requested: See = async (profile) => {
  const record = {
    profile: formatProfile(profile),
    retailHost: '',
    headerPrefix: 'SVC',
    keyVersion: '2',
    consumerId: 'c',
  };
  const whole = {
    ...record,
    advertiserId: '900001',
    practice: false,
    baseUrl: 'https://api.example',
    secrets: { kept: 'store' },
  };
  const api = await connect(whole as never, { clock } as never, null, () => undefined);
  api.close();
  return api.connection;
};

const budget: See = async (profile) => {
  const file = join(aFolder(), 'workspace.db');
  const workspace = done(await openWorkspace({ file, profile, clock: aClock(), migrated: true }));
  const { left } = await workspace.outbox.changeLimit({ changes: 0 });
  await workspace.close();
  return left;
};

/** Whether upload addresses are still good after eleven minutes. */
const uploadWindow: See = (profile) => {
  let ms = 0;
  const window = createUploadUrlExpiry(
    { ...clock, monotonicMs: () => ms, nowMs: () => ms } as never,
    profile.media.urlMinutes,
  );
  ms = 11 * 60_000;
  return window.isOpen();
};

const WISH = { reportType: 'campaign', startDate: '2026-05-01', endDate: '2026-05-02', byDate: false };

/** What a report asks the service for, and the types that are offered. */
const askedOfReports: See = async (profile) => {
  const bodies: string[] = [];
  const folder = aFolder();
  const reports = createReportService({
    store: createSnapshotStore(folder),
    jobs: reportJobs(folder, profile, clock),
    ask: async (wish) => {
      bodies.push(JSON.stringify(wish));
      return err({ kind: 'refused', message: 'not today' });
    },
    nowMs: clock.nowMs,
    today: async () => day('2026-05-03'),
    profile,
    types: { read: async () => [], remember: async () => undefined },
  });
  await reports.request(WISH, false);
  return [bodies, await reports.types()];
};

/** Days whose metrics are asked for when there are none yet. */
const daysAskedFor: See = ({ report, business }) => {
  const isReady = isYesterdayReady(NIGHT, business.zone, report.readyHour);
  return spansToFetch(new Map(), { today: day('2026-05-03'), isReady, since: null, rowsPerDay: 1 }, report);
};

const reportJobs = (folder: string, profile: DeploymentSettings, at: Clock) =>
  createReportJobs({
    store: createJobStore(join(folder, 'jobs')),
    ask: async () => ok({ is: 'working', status: 'pending' }),
    keep: async () => {
      throw new Error('there is no report');
    },
    today: async () => day('2026-05-03'),
    clock: at,
    profile,
    changed: async () => undefined,
  });

/** What is known of a report that was asked for twelve hours ago and is still being made. */
const afterHalfADay: See = async (profile) => {
  let nowMs = NIGHT;
  const jobs = reportJobs(aFolder(), profile, { ...clock, nowMs: () => nowMs });
  await jobs.begin(WISH, { snapshotId: '1', status: 'pending' });
  nowMs += 12 * 3_600_000;
  const looked = await jobs.look('1');
  jobs.stop();
  return looked.ok ? looked.value.state : 'code' in looked.error ? looked.error.code : looked.error.kind;
};

/** The other value of each key, and where the difference shows. */
const SEEN: Readonly<Record<string, readonly [value: string, see: See]>> = {
  version: ['1', () => parseProfile('version=2').ok],
  'wire.dialect': ['family', planned],
  'signature.timestampUnit': ['s', requested],
  'signature.algorithm': ['PS256', requested],
  'batch.max': ['1', planned],
  'batch.keywords': ['1', planned],
  'rate.opsPerHour': ['7', budget],
  'rate.defaultWaitSeconds': ['7', (profile) => waitAfterLimit(null, profile, () => 0.5)],
  'sba.maxProfiles': ['1', judged],
  'sba.brandMax': ['2', judged],
  'sba.headlineMax': ['2', judged],
  'sba.singleEnabled': ['false', judged],
  'sba.clickUrlEncoding': ['as-typed', planned],
  'logo.pixels': ['90x90', judged],
  'logo.contentMaxKb': ['1', judged],
  'logo.uploadMaxKb': ['1', judged],
  'multiplier.min': ['11', judged],
  'multiplier.max': ['9', judged],
  'multiplier.placements.auto': ['[Aisle End]', judged],
  'multiplier.placements.manual': ['[Aisle End]', judged],
  'multiplier.platforms': ['[Kiosk]', judged],
  'multiplier.platformMember': ['placementType', planned],
  'adItems.max': ['1', judged],
  'adItems.max.sponsoredProducts': ['1', judged],
  'adItems.max.sba': ['1', judged],
  'adItems.max.video': ['1', judged],
  'adItems.min': ['2', judged],
  'adItems.recommended': ['2', judged],
  'keywords.maxDistinctEnabled': ['1', judged],
  'keywords.maxMatchTypes': ['1', judged],
  'keywords.textMax': ['2', judged],
  'bid.floor.videoKeyword': ['1.90', judged],
  'bid.floor.item': ['0.50', judged],
  'bid.max': ['1.00', judged],
  'media.seconds': ['25..30', judged],
  'media.maxMb': ['1', judged],
  'media.urlMinutes': ['10', uploadWindow],
  'media.processingMinutes': ['20', (profile) => nextPollMinutes([NIGHT], NIGHT, profile)],
  'media.nameMax': ['2', judged],
  'review.pollMinutes': ['7', (profile) => nextPollMinutes([], NIGHT, profile)],
  'review.days': ['1..9', judged],
  'snapshot.ttlHours': ['7', afterHalfADay],
  'report.attributionWindow': ['days14', askedOfReports],
  'report.format': ['zip', askedOfReports],
  'report.types': ['[video]', askedOfReports],
  'report.daysMax': ['7', daysAskedFor],
  'report.historyDays': ['30', daysAskedFor],
  'report.readyHour': ['20', daysAskedFor],
  'business.zone': ['Europe/London', (profile) => businessDayOf(null, profile, clock as never)],
  'migration.cutover': ['2030-01-01', judged],
  'campaign.uniqueName': ['false', judged],
  'campaign.adGroupsMax': ['2', judged],
  'retail.host': ['elsewhere.example', judged],
  'upload.hosts': ['[files.example]', (profile) => addressRule('https://api.example', profile.upload.hosts)],
  'picture.hosts': ['[img.example]', pictureHosts],
};

describe('deployment settings', () => {
  test('the law looks at every key, and at no other', () => {
    expect(Object.keys(SEEN)).toEqual(PROFILE_KEYS.map(({ key }) => key));
  });

  for (const [key, [value, see]] of Object.entries(SEEN)) {
    test(`${key} changes what happens`, async () => {
      const usual = defaultDeploymentSettings('www.retailer.example');
      const text = formatProfile(usual)
        .split('\n')
        .filter((line) => !line.startsWith(`${key}=`))
        .join('\n');
      const read = done(parseProfile(`${text}\n${key}=${value}`));
      if (key === 'version') expect(await see(read)).toBe(false);
      else expect(await see(read)).not.toEqual(await see(usual));
    });
  }

  test('what the window is told follows the settings', () => {
    const read = done(parseProfile('sba.brandMax=12\nlogo.pixels=90x80\nmultiplier.platforms=[Kiosk]'));
    expect(shownLimits(read)).toMatchObject({
      sba: { brandMax: 12 },
      logo: { width: 90, height: 80 },
      multiplier: { platforms: ['Kiosk'] },
    });
  });

  test('a key that is no longer used is passed over with a note, whatever its value', () => {
    for (const key of RETIRED_KEYS) {
      expect(parseProfile(`${key}=no such value\nadItems.max=12`)).toMatchObject({
        ok: true,
        value: { adItems: { max: 12 } },
      });
      expect(profileNotes(`# ours\n${key}=300`)).toEqual([expect.stringContaining(`"${key}" is no longer used`)]);
    }
  });
});
