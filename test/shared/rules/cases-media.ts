import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Values } from '../../../shared/model/fields.ts';
import type { CaptionFacts, VideoFacts } from '../../../shared/model/media.ts';
import { DELETED } from '../../../shared/model/row.ts';
import { checkAccount, checkCampaign, checkMedia } from '../../../shared/rules/check.ts';
import type { RuleEnv } from '../../../shared/rules/rule.ts';
import {
  aCampaign,
  aCaption,
  aLogo,
  anAdGroup,
  anSbaProfile,
  aPlacement,
  aPlatform,
  aTree,
  aVideo,
  aVideoProfile,
  aVideoTree,
  cents,
  env,
  hundredths,
  id,
  unknown,
  videoFacts,
} from '../builders.ts';
import type { Cases } from './cases-campaign.ts';

const sbaTree = (parts: Partial<CampaignTree>) => () =>
  checkCampaign(aTree({ campaign: aCampaign({ campaignType: 'sba' }), media: [aLogo()], ...parts }), env);
const profile = (values: Partial<Values<'sbaProfile'>>) => sbaTree({ sbaProfiles: [anSbaProfile(values)] });
const url = (clickUrl: string) => profile({ clickUrl });
const site = 'https://www.retailer.example';
const live = aCampaign({ campaignType: 'sba', serviceStatus: 'live' }, { remote: '1' });
/** As if a review had rejected whatever is asked about. */
const remembering: RuleEnv = {
  ...env,
  verdicts: { last: () => ({ verdict: 'rejected', reason: 'Claim not proven', day: env.today }) },
};
const onLive = (values: Partial<Values<'sbaProfile'>>, was: Partial<Values<'sbaProfile'>>) =>
  sbaTree({ campaign: live, sbaProfiles: [anSbaProfile(values, { remote: '5', was })] });
const estimated = { campaignState: 'live', stateSource: 'estimated' } as const;
const onEstimated = (values: Partial<Values<'sbaProfile'>>, was: Partial<Values<'sbaProfile'>>) =>
  sbaTree({
    campaign: aCampaign({ campaignType: 'sba', ...estimated }, { remote: '1' }),
    sbaProfiles: [anSbaProfile(values, { remote: '5', was })],
  });

export const sbaCases: Cases = {
  'sba.brand-required': profile({ brand: null }),
  'sba.brand-length': profile({ brand: 'x'.repeat(36) }),
  'sba.headline-required': profile({ headline: null }),
  'sba.headline-length': profile({ headline: 'x'.repeat(46) }),
  'sba.text-characters': profile({ headline: 'a\tb' }),
  'sba.text-unseen': profile({ headline: 'Warm\u2060 towels' }),
  'sba.headline-capitals': profile({ headline: 'BUY NOW' }),
  'sba.headline-exclamation': profile({ headline: 'Soft towels!' }),
  'sba.headline-superlative': profile({ headline: 'The best towels' }),
  'sba.headline-price': profile({ headline: 'Towels from $5' }),
  'sba.headline-blanks': profile({ headline: 'Soft  towels' }),
  'sba.headline-is-brand': profile({ headline: 'softly' }),
  'click-url.required': profile({ clickUrl: null }),
  'click-url.invalid': url('javascript:alert(1)'),
  'click-url.https': url('http://www.retailer.example/browse/softly'),
  'click-url.host': url('https://www.retailer.example.evil.example/browse'),
  'click-url.port': url('https://www.retailer.example:8443/browse'),
  'click-url.user-name': url('https://user@www.retailer.example/browse'),
  'click-url.typeahead': url(`${site}/s?q=towel&typeahead=tow`),
  'click-url.encoding': url(`${site}/s?q=a:b`),
  'click-url.length': url(`${site}/${'x'.repeat(2000)}`),
  'click-url.fragment': url(`${site}/browse#top`),
  'click-url.home-page': url(`${site}/`),
  'click-url.same-twice': sbaTree({ sbaProfiles: [anSbaProfile(), anSbaProfile({ headline: 'B' }, { id: 51 })] }),
  'sba.wrong-campaign': () => checkCampaign(aTree({ sbaProfiles: [anSbaProfile()] }), env),
  'sba.too-many': sbaTree({ sbaProfiles: [50, 51, 52].map((at) => anSbaProfile({ headline: `H${at}` }, { id: at })) }),
  'sba.two-enabled': sbaTree({
    sbaProfiles: [anSbaProfile({}, { id: 50, remote: '5' }), anSbaProfile({ headline: 'B' }, { id: 51, remote: '6' })],
  }),
  'sba.none-enabled': sbaTree({ sbaProfiles: [anSbaProfile({ status: 'disabled' }, { remote: '5' })] }),
  'sba.same-content': sbaTree({ sbaProfiles: [anSbaProfile(), anSbaProfile({}, { id: 51 })] }),
  'sba.live-enabled-change': onLive({ headline: 'New' }, { headline: 'Old' }),
  'sba.live-unapproved-enable': onLive({ status: 'enabled' }, { status: 'disabled' }),
  'sba.estimated-enabled-change': onEstimated({ headline: 'New' }, { headline: 'Old' }),
  'sba.estimated-unapproved-enable': onEstimated({ status: 'enabled' }, { status: 'disabled' }),
  'sba.live-change-and-enable': onLive({ headline: 'New' }, { headline: 'Old', status: 'disabled' }),
  'sba.rejected': profile({ reviewStatus: 'rejected', reviewReason: 'Claim not proven' }),
  'sba.unknown-word': profile({ reviewStatus: unknown('escalated') }),
  'sba.rejected-before': () =>
    checkCampaign(aTree({ campaign: aCampaign({ campaignType: 'sba' }), sbaProfiles: [anSbaProfile()] }), remembering),
  'sba.under-review': sbaTree({
    adGroups: [anAdGroup({ reviewStatus: 'pending' }, { remote: '2' })],
    sbaProfiles: [anSbaProfile()],
  }),
  'sba.logo-missing': profile({ logo: null }),
  'sba.logo-unusable': sbaTree({ sbaProfiles: [anSbaProfile({ logo: id(11) })], media: [aLogo({}, {}, 101)] }),
  'sba.second-is-disabled': sbaTree({ sbaProfiles: [anSbaProfile(), anSbaProfile({ headline: 'B' }, { id: 51 })] }),
  'sba.delete-impossible': sbaTree({ sbaProfiles: [anSbaProfile({}, { remote: '5', marks: DELETED })] }),
};

const video = (changes: Partial<VideoFacts>) => () => checkMedia(aVideo({}, {}, videoFacts(changes)), env);
const videoRow = (values: Partial<Values<'media'>>) => () => checkMedia(aVideo(values), env);
const caption = (changes: Partial<CaptionFacts>) => () =>
  checkMedia(
    aCaption({
      facts: JSON.stringify({ is: 'caption', format: 'srt', cues: 2, lastEndMs: 900, problems: [], ...changes }),
    }),
    env,
  );
const problem = (code: CaptionFacts['problems'][number]['code']) => caption({ problems: [{ line: 7, code }] });

export const mediaCases: Cases = {
  'logo.unreadable': () => checkMedia(aLogo({ facts: null }), env),
  'logo.pixels': () => checkMedia(aLogo({}, {}, 101), env),
  'logo.content-size': () => checkMedia(aLogo({ bytes: 200 * 1024 + 1 }), env),
  'logo.upload-size': () => checkMedia(aLogo({ bytes: 1024 * 1024 + 1 }), env),
  'video.unreadable': videoRow({ facts: 'not json' }),
  'video.too-short': video({ durationMs: 4_900 }),
  'video.too-long': video({ durationMs: 45_100 }),
  'video.length-unknown': video({ durationMs: null }),
  'video.size': videoRow({ bytes: 501_000_000 }),
  'video.ratio': video({ width: 1440, height: 1080 }),
  'video.upright': video({ width: 720, height: 1280 }),
  'video.too-small': video({ width: 640, height: 360 }),
  'video.too-large': video({ width: 7680, height: 4320 }),
  'video.codec': video({ videoCodec: 'av01' }),
  'video.sound-codec': video({ audioCodec: 'Opus' }),
  'video.no-sound': video({ audioCodec: null }),
  'video.wrong-ending': videoRow({ fileName: 'spring.mov' }),
  'caption.unreadable': () => checkMedia(aCaption({ facts: null }), env),
  'caption.empty': caption({ cues: 0 }),
  'caption.timing': problem('bad-time'),
  'caption.end-before-start': problem('end-before-start'),
  'caption.order': problem('out-of-order'),
  'caption.empty-cue': problem('empty'),
  'caption.missing': () => checkAccount([], [aVideo()], env),
  'caption.not-a-caption': () => checkAccount([], [aVideo({ caption: id(11) }), aLogo()], env),
  'caption.after-the-end': () =>
    checkAccount([], [aVideo({ caption: id(10) }, {}, videoFacts({ durationMs: 10_000 })), aCaption()], env),
  'media.type-required': videoRow({ mediaType: null }),
  'media.name-required': videoRow({ mediaName: null }),
  'media.name-length': videoRow({ mediaName: 'x'.repeat(46) }),
  'media.name-characters': videoRow({ mediaName: 'a\nb' }),
  'media.name-unseen': videoRow({ mediaName: 'Spot\ufeff' }),
  'media.processing-failed': videoRow({ mediaState: 'failed', stateReason: 'No picture' }),
  'media.empty': videoRow({ bytes: 0 }),
  'media.unknown-word': videoRow({ mediaState: unknown('quarantined') }),
  'account.media-name-unique': () => checkAccount([], [aVideo(), aVideo({ sha256: 'dd' }, { id: 90 })], env),
  'account.media-same-bytes': () => checkAccount([], [aVideo(), aVideo({ mediaName: 'B' }, { id: 90 })], env),
};

const videoTree = (parts: Partial<CampaignTree>) => () => checkCampaign(aVideoTree(parts), env);

export const videoProfileCases: Cases = {
  'video-profile.video-required': videoTree({ videoProfiles: [aVideoProfile({ video: null })] }),
  'video-profile.not-a-video': videoTree({ videoProfiles: [aVideoProfile({ video: id(11) })], media: [aLogo()] }),
  'video-profile.wrong-campaign': videoTree({ campaign: aCampaign({ campaignType: 'sba' }) }),
  'video-profile.too-many': videoTree({ videoProfiles: [aVideoProfile(), aVideoProfile({}, { id: 61 })] }),
  'video-profile.video-failed': videoTree({ media: [aVideo({ mediaState: 'failed' })] }),
  'video-profile.video-processing': videoTree({ media: [aVideo({ mediaState: 'processing' })] }),
  'video-profile.video-unusable': videoTree({
    media: [aVideo({ sha256: null, fileName: null, mediaState: 'failed' }, { remote: '7' })],
  }),
  'video-profile.rejected': videoTree({ videoProfiles: [aVideoProfile({ reviewStatus: 'rejected' })] }),
  'video-profile.rejected-before': () => checkCampaign(aVideoTree(), remembering),
  'video-profile.live-change': videoTree({
    campaign: aCampaign({ serviceStatus: 'live' }, { remote: '1' }),
    videoProfiles: [aVideoProfile({}, { remote: '6', was: { video: id(90) } })],
  }),
  'video-profile.estimated-change': videoTree({
    campaign: aCampaign(estimated, { remote: '1' }),
    videoProfiles: [aVideoProfile({}, { remote: '6', was: { video: id(90) } })],
  }),
  'video-profile.under-review': videoTree({ adGroups: [anAdGroup({ reviewStatus: 'pending' }, { remote: '2' })] }),
  'video-profile.unknown-word': videoTree({ videoProfiles: [aVideoProfile({ status: unknown('retired') })] }),
  'video-profile.disabled': videoTree({ videoProfiles: [aVideoProfile({ status: 'disabled' })] }),
  'video-profile.delete-impossible': videoTree({ videoProfiles: [aVideoProfile({}, { remote: '6', marks: DELETED })] }),
};

const plain = aCampaign({ campaignType: 'sponsoredProducts' });
type Field = 'placement' | 'platform';

function multiplierCases(field: Field): Cases {
  const row = (
    type: string | null,
    multiplier: number | null,
    at: { id?: number; remote?: string; marks?: number } = {},
  ) => {
    const value = { multiplier: multiplier === null ? null : hundredths(multiplier) };
    return field === 'placement'
      ? {
          placementMultipliers: [
            aPlacement(
              { placement: type === null ? null : type === 'other' ? 'Buy-Box' : 'Search Ingrid', ...value },
              at,
            ),
          ],
        }
      : { platformMultipliers: [aPlatform({ platform: type === null ? null : 'Mobile', ...value }, at)] };
  };
  const tree = (parts: Partial<CampaignTree>) => () => checkCampaign(aTree({ campaign: plain, ...parts }), env);
  const limited = { ...env.profile, multiplier: { ...env.profile.multiplier, platforms: ['Desktop'], min: 1 } };
  const strict = (parts: Partial<CampaignTree>) => () =>
    checkCampaign(aTree({ campaign: plain, ...parts }), { ...env, profile: limited });
  const double =
    field === 'placement'
      ? { placementMultipliers: [aPlacement(), aPlacement({}, { id: 71 })] }
      : { platformMultipliers: [aPlatform(), aPlatform({}, { id: 81 })] };
  const cases: Cases = {
    'type-required': tree(row(null, 1000)),
    'type-not-offered': strict(row('other', 1000)),
    'type-unknown': strict(row('other', 1000, { remote: '7' })),
    duplicate: tree(double),
    'value-required': tree(row('one', null)),
    'below-range': strict(row('one', 99)),
    'above-range': tree(row('one', 5_000_001)),
    zero: tree(row('one', 0)),
    high: tree(row('one', 100_001)),
    'wrong-campaign': () => checkCampaign(aVideoTree(row('one', 1000)), env),
    'bid-over-daily': () =>
      checkCampaign(
        aVideoTree({
          campaign: aCampaign({ campaignType: 'sponsoredProducts', dailyBudget: cents(300) }),
          ...row('one', 10_000),
        }),
        env,
      ),
    'delete-impossible': tree(row('one', 1000, { remote: '7', marks: DELETED })),
  };
  return Object.fromEntries(Object.entries(cases).map(([name, run]) => [`${field}.${name}`, run]));
}

export const allMultiplierCases: Cases = { ...multiplierCases('placement'), ...multiplierCases('platform') };
