/** Goes up with every change to the tables; data of another version are refused at the start. */
export const SCHEMA_VERSION = 2;

/**
 * The tables. Amounts are integers in hundredths, instants are milliseconds since 1970 (sandbox clock), booleans are
 * 0 and 1. AUTOINCREMENT keeps an id from ever being given twice.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS advertiser (
  advertiser_id INTEGER PRIMARY KEY, name TEXT NOT NULL, migrated INTEGER NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS principal (
  consumer_id TEXT PRIMARY KEY, advertiser_id INTEGER NOT NULL, role TEXT NOT NULL, token TEXT NOT NULL,
  key_version TEXT NOT NULL, public_key TEXT NOT NULL, private_key TEXT NOT NULL, standard INTEGER NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS item (
  item_key INTEGER PRIMARY KEY AUTOINCREMENT, legacy_id TEXT NOT NULL UNIQUE, us_id TEXT NOT NULL UNIQUE,
  advertiser_id INTEGER NOT NULL, base_item_key INTEGER, name TEXT NOT NULL, suggested_bid INTEGER NOT NULL,
  published INTEGER NOT NULL, readable INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS item_by_base ON item (base_item_key) WHERE base_item_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS item_by_advertiser ON item (advertiser_id);

CREATE TABLE IF NOT EXISTS campaign (
  campaign_id INTEGER PRIMARY KEY AUTOINCREMENT, advertiser_id INTEGER NOT NULL, name TEXT NOT NULL,
  campaign_type TEXT NOT NULL, targeting_type TEXT NOT NULL, budget INTEGER, daily_budget INTEGER,
  start_date TEXT NOT NULL, end_date TEXT NOT NULL, status TEXT NOT NULL, was_live INTEGER NOT NULL DEFAULT 0,
  UNIQUE (advertiser_id, name)) STRICT;

CREATE TABLE IF NOT EXISTS campaign_move (
  move_id INTEGER PRIMARY KEY AUTOINCREMENT, campaign_id INTEGER NOT NULL, at_ms INTEGER NOT NULL,
  from_status TEXT NOT NULL, to_status TEXT NOT NULL, moved_by TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS campaign_move_by_campaign ON campaign_move (campaign_id);

CREATE TABLE IF NOT EXISTS ad_group (
  ad_group_id INTEGER PRIMARY KEY AUTOINCREMENT, campaign_id INTEGER NOT NULL REFERENCES campaign,
  name TEXT NOT NULL, status TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS ad_group_by_campaign ON ad_group (campaign_id);

CREATE TABLE IF NOT EXISTS ad_item (
  ad_item_id INTEGER PRIMARY KEY AUTOINCREMENT, campaign_id INTEGER NOT NULL, ad_group_id INTEGER NOT NULL,
  item_key INTEGER NOT NULL REFERENCES item, bid INTEGER NOT NULL, status TEXT NOT NULL,
  review_status TEXT NOT NULL, review_reason TEXT) STRICT;
CREATE INDEX IF NOT EXISTS ad_item_by_group ON ad_item (ad_group_id, item_key);
CREATE INDEX IF NOT EXISTS ad_item_by_campaign ON ad_item (campaign_id);

CREATE TABLE IF NOT EXISTS keyword (
  keyword_id INTEGER PRIMARY KEY AUTOINCREMENT, campaign_id INTEGER NOT NULL, ad_group_id INTEGER NOT NULL,
  keyword_text TEXT NOT NULL, same_text TEXT NOT NULL, match_type TEXT NOT NULL, bid INTEGER NOT NULL,
  state TEXT NOT NULL, status TEXT NOT NULL, review_reason TEXT) STRICT;
CREATE INDEX IF NOT EXISTS keyword_by_group ON keyword (ad_group_id, same_text, match_type);
CREATE INDEX IF NOT EXISTS keyword_enabled ON keyword (ad_group_id, same_text) WHERE state = 'enabled';
CREATE INDEX IF NOT EXISTS keyword_by_campaign ON keyword (campaign_id);

CREATE TABLE IF NOT EXISTS media_upload (
  upload_id INTEGER PRIMARY KEY AUTOINCREMENT, advertiser_id INTEGER NOT NULL, media_type TEXT NOT NULL,
  expires_ms INTEGER NOT NULL, secret TEXT NOT NULL, has_video INTEGER NOT NULL DEFAULT 0,
  has_caption INTEGER NOT NULL DEFAULT 0, video_verdict TEXT NOT NULL DEFAULT '', caption_verdict TEXT NOT NULL DEFAULT '',
  length_ms INTEGER, completed INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE IF NOT EXISTS media (
  media_id INTEGER PRIMARY KEY AUTOINCREMENT, advertiser_id INTEGER NOT NULL, upload_id INTEGER NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, details TEXT NOT NULL, verdict TEXT NOT NULL,
  length_ms INTEGER, has_caption INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS media_by_advertiser ON media (advertiser_id);

CREATE TABLE IF NOT EXISTS ad_group_media (
  ad_group_media_id INTEGER PRIMARY KEY AUTOINCREMENT, campaign_id INTEGER NOT NULL, ad_group_id INTEGER NOT NULL UNIQUE,
  media_id INTEGER NOT NULL REFERENCES media, status TEXT NOT NULL, review_status TEXT NOT NULL,
  review_reason TEXT) STRICT;

CREATE TABLE IF NOT EXISTS sba_profile (
  sba_profile_id INTEGER PRIMARY KEY AUTOINCREMENT, campaign_id INTEGER NOT NULL, ad_group_id INTEGER NOT NULL,
  search_amp_name TEXT NOT NULL, headline_text TEXT NOT NULL, click_url TEXT NOT NULL, logo_url TEXT NOT NULL,
  logo BLOB, status TEXT NOT NULL, review_status TEXT NOT NULL, review_reason TEXT) STRICT;
CREATE INDEX IF NOT EXISTS sba_profile_by_group ON sba_profile (ad_group_id);

CREATE TABLE IF NOT EXISTS multiplier (
  multiplier_id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, campaign_id INTEGER NOT NULL,
  type TEXT NOT NULL, multiplier INTEGER NOT NULL, UNIQUE (campaign_id, kind, type)) STRICT;

CREATE TABLE IF NOT EXISTS review (
  review_id INTEGER PRIMARY KEY AUTOINCREMENT, campaign_id INTEGER NOT NULL, ad_group_id INTEGER NOT NULL,
  status TEXT NOT NULL, created_ms INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS review_by_group ON review (ad_group_id);

CREATE TABLE IF NOT EXISTS review_component (
  review_id INTEGER NOT NULL REFERENCES review, type TEXT NOT NULL, component_id INTEGER NOT NULL,
  status TEXT NOT NULL, reason TEXT, PRIMARY KEY (review_id, type, component_id)) STRICT;

CREATE TABLE IF NOT EXISTS snapshot (
  snapshot_id TEXT PRIMARY KEY, advertiser_id INTEGER NOT NULL, request TEXT NOT NULL, job_status TEXT NOT NULL,
  secret TEXT NOT NULL, created_ms INTEGER NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS due (
  due_id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS due_by_time ON due (at_ms, due_id);
`;

/** Where ids begin, table by table; SBA profile ids have five digits as in the document. */
export const firstIds: Readonly<Record<string, number>> = {
  campaign: 904_100_200_301,
  ad_group: 7_700_001,
  ad_item: 4_400_001,
  keyword: 8_100_001,
  media_upload: 5_500_001,
  media: 6_600_001,
  ad_group_media: 9_900_001,
  sba_profile: 10_001,
  multiplier: 1_200_001,
  review: 3_300_001,
};

/** Everything a reset empties, children first. The catalogue does not change and is looked after by its own file. */
export const stateTables: readonly string[] = [
  'due',
  'snapshot',
  'review_component',
  'review',
  'multiplier',
  'sba_profile',
  'ad_group_media',
  'media',
  'media_upload',
  'keyword',
  'ad_item',
  'ad_group',
  'campaign_move',
  'campaign',
  'advertiser',
  'setting',
];
