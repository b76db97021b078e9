import { RULES } from './registry.ts';

/** Kinds of issues in a few words, one line for each family of rules: the end of a rule's id with `_` for its hyphens, then its name. */
const NAMES: Readonly<Record<string, string>> = {
  campaign: `name_required Campaign without a name; name_characters Damaged campaign name; name_length Campaign name too long;
    type_required No campaign type; targeting_required No targeting type; targeting_manual Manual targeting needed;
    start_missing No start date; start_before_today Start date in the past; end_before_start Ends before it starts;
    end_passed End date in the past; start_far Start date far away; flight_long Very long campaign;
    name_blanks Extra spaces in a campaign name; name_unseen Invisible characters in a campaign name;
    unknown_word Unknown value in a campaign`,
  budget: `required No budget; daily_required No daily budget; total_required No total budget; daily_positive Daily budget is zero;
    total_positive Total budget is zero; daily_over_total Daily budget above the total; runs_out Budget ends early;
    starves_flight Budget can't be spent; few_clicks Budget for few clicks`,
  'campaign-state': `born_enabled Enabled when created; pause_from_live Can't be paused now; end_from_live Can't be ended now;
    extend_needs_end Campaign has ended; completed_shows_nothing Change without effect; reenable_needs_review Review needed to resume;
    delete_impossible Campaign can't be deleted; start_after_live Start date of a live campaign;
    pause_estimated Pausing might fail; end_estimated Ending might fail`,
  ready: `no_ad_group No ad group; no_item No enabled item; no_keyword No enabled keyword; no_brand_profile No SBA profile;
    no_video_profile No video; start_too_soon Review may end late; all_items_rejected All items rejected;
    all_keywords_rejected All keywords rejected`,
  account: `campaign_name_unique Campaign name used twice; campaign_name_twin Look-alike campaign names;
    campaign_name_alike Similar campaign names; media_name_unique Video name used twice; media_same_bytes File added twice`,
  'ad-group': `name_required Ad group without a name; name_characters Damaged ad group name; name_unique Ad group name used twice;
    too_many Too many ad groups; too_few_items Too few items; few_items Few items; disabled Disabled ad group;
    one_match_type Only one match type; same_bids Same bid everywhere; review_rejected Ad group rejected;
    name_unseen Invisible characters in an ad group name; nearly_full Ad group almost full; unknown_word Unknown value in an ad group`,
  item: `id_required No item ID; id_scientific Item ID lost its digits; id_lost_zeros Item ID too short; id_too_long Item ID too long;
    id_format Invalid item ID; id_legacy_after_migration Item ID in the old format; id_new_before_migration Item ID in the new format;
    id_legacy_soon Item ID expires soon; duplicate Item added twice; too_many Too many items; bid_required Item without a bid;
    bid_positive Item bid is zero; bid_floor Item bid too low; bid_high Item bid very high; bid_over_daily Item bid above the budget;
    rejected Item rejected; under_review Item held by a review; enable_costs_review Item needs a new review;
    deleted_for_good Item permanently deleted; id_unconfirmed Items not verified; not_in_catalogue Item not in the catalog;
    unreadable Item could not be read; unpublished Item not published; not_owned Item of another seller;
    unknown_word Unknown value in an item`,
  keyword: `text_required Keyword without text; text_characters Damaged keyword; text_length Keyword too long;
    text_blanks Extra spaces in keywords; text_signs Symbols in keywords; many_words Long keywords; match_type_required No match type;
    bid_required Keyword without a bid; bid_positive Keyword bid is zero; bid_floor_video Keyword bid too low;
    bid_high Keyword bid very high; bid_over_daily Keyword bid above the budget; duplicate Keyword added twice;
    too_many Too many keywords; auto_targeting Keywords with automatic targeting; rejected Keyword rejected;
    under_review Keyword held by a review; enable_costs_review Keyword needs a new review; born_enabled Keyword enabled when created;
    broad_above_exact Broad bid above exact bid; archived_for_good Keyword permanently archived;
    too_many_match_types Too many match types; text_unseen Invisible characters in keywords; unknown_word Unknown value in a keyword`,
  sba: `brand_required No brand name; brand_length Brand name too long; headline_required No headline; headline_length Headline too long;
    text_characters Damaged SBA profile text; text_unseen Invisible characters in an SBA profile; headline_capitals Headline in capitals;
    headline_exclamation Exclamation mark in the headline; headline_superlative Superlative in the headline;
    headline_price Price in the headline; headline_blanks Extra spaces in the headline; headline_is_brand Headline repeats the brand;
    wrong_campaign SBA profile in another campaign type; too_many Too many SBA profiles; two_enabled Two SBA profiles enabled;
    none_enabled No SBA profile enabled; same_content Identical SBA profiles; live_enabled_change Live SBA profile changed;
    live_unapproved_enable SBA profile not approved; live_change_and_enable SBA profile changed and enabled;
    rejected SBA profile rejected; under_review SBA profile held by a review; logo_missing No logo; logo_unusable Unusable logo;
    second_is_disabled Second SBA profile disabled; delete_impossible SBA profile can't be deleted;
    estimated_enabled_change Change might fail; estimated_unapproved_enable Enabling might fail;
    rejected_before Creative rejected before; unknown_word Unknown value in an SBA profile`,
  'click-url': `required No click URL; invalid Invalid click URL; https Click URL without https; host Click URL on another site;
    port Port in the click URL; user_name User name in the click URL; typeahead Typeahead in the click URL;
    encoding Click URL will be encoded; length Click URL too long; fragment Fragment in the click URL;
    home_page Click URL of the home page; same_twice Same click URL twice`,
  'video-profile': `video_required No video; not_a_video File is not a video; wrong_campaign Video in another campaign type;
    too_many Too many video profiles; video_failed Video processing failed; video_processing Video is processing;
    rejected Video rejected; live_change Live video changed; under_review Video held by a review; disabled Video profile disabled;
    delete_impossible Video profile can't be deleted; estimated_change Video change might fail; video_unusable Unusable video;
    rejected_before Video rejected before; unknown_word Unknown value in a video profile`,
  placement: `type_required No placement; type_not_offered Placement not available; duplicate Placement added twice;
    value_required Placement without a value; below_range Placement multiplier too low; above_range Placement multiplier too high;
    zero Placement multiplier of 0%; high Placement multiplier very high; wrong_campaign Placement multiplier in another campaign type;
    bid_over_daily Placement bid above the budget; type_unknown Unknown placement; delete_impossible Placement multiplier can't be deleted`,
  platform: `type_required No platform; type_not_offered Platform not available; duplicate Platform added twice;
    value_required Platform without a value; below_range Platform multiplier too low; above_range Platform multiplier too high;
    zero Platform multiplier of 0%; high Platform multiplier very high; wrong_campaign Platform multiplier in another campaign type;
    bid_over_daily Platform bid above the budget; type_unknown Unknown platform; delete_impossible Platform multiplier can't be deleted`,
  logo: 'unreadable Unreadable logo; pixels Wrong logo size; content_size Logo too large for review; upload_size Logo too large to upload',
  video: `unreadable Unreadable video; too_short Video too short; too_long Video too long; length_unknown Video length unknown;
    size Video file too large; ratio Video is not 16:9; too_small Small video; too_large Large video; codec Video codec;
    sound_codec Sound codec; no_sound Video without sound; wrong_ending Wrong file extension`,
  caption: `unreadable Unreadable captions; empty Empty caption file; timing Invalid caption time; end_before_start Caption ends too early;
    order Captions out of order; empty_cue Caption without text; missing Video without captions; not_a_caption Not a caption file;
    after_the_end Captions end too late`,
  media: `type_required File of another type; name_required Video without a name; name_length Video name too long;
    name_characters Damaged video name; name_unseen Invisible characters in a video name; processing_failed Processing failed;
    empty Empty file; unknown_word Unknown value in a file`,
};

const NAME_BY_RULE: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([family, names]) =>
    names.split(';').map((entry): [string, string] => {
      const [rule = '', ...words] = entry.trim().split(/\s+/);
      return [`${family}.${rule.replaceAll('_', '-')}`, words.join(' ')];
    }),
  ),
);

/** The kind of issue that a rule reports, in a few words; null for rules of the user. */
export const ruleShortName = (rule: string): string | null => NAME_BY_RULE.get(rule) ?? null;

const ADVICE: ReadonlyMap<string, string> = new Map(
  RULES.map(({ id, text }) => {
    const [, ...rest] = text.split(/(?<=[.?!])\s/);
    const said = rest.filter((sentence) => !sentence.includes('{'));
    return [id, said[0] ?? ''];
  }),
);

/** One sentence about all issues of a rule, mostly the next step; empty where that depends on the row. */
export const ruleAdvice = (rule: string): string => ADVICE.get(rule) ?? '';
