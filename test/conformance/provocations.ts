import { type Answer, type Client, fieldOf } from './client.ts';
import type { Operation } from './document-errors.ts';
import { aLogo, type Upload, uploadLogo } from './files.ts';
import { aProfile, listProfiles } from './sba-profiles.ts';
import type { World } from './world.ts';

/** How each error of the document is brought about: a call in order per operation, and what a case changes about it. */
interface Provocations {
  readonly method: string;
  readonly path: string;
  /** A call that is in order, by whoever it is. */
  readonly call: (client: Client) => Promise<Answer>;
  /** By text, unless the text follows from who calls. */
  readonly byText: Readonly<Record<string, () => Promise<Answer>>>;
  /** Texts in the operation's list that only a sister operation with the same list can have, with the reason. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

export function createProvocations(world: World): Readonly<Record<Operation, Provocations>> {
  const owner = () => world.as('owner');
  return {
    'Item endpoints': itemErrors(world, owner),
    ...sbaErrors(world, owner),
    'SBA logo upload (V2)': logoErrors(world, owner),
    'Placement multipliers: create': multiplierWrites(world, owner, 'placement', 'Search Ingrid', 'post'),
    'Placement multipliers: update': multiplierWrites(world, owner, 'placement', 'Search Ingrid', 'put'),
    'Placement multipliers: list': multiplierLists(world, owner, 'placement'),
    'Platform multipliers: create': multiplierWrites(world, owner, 'platform', 'App', 'post'),
    'Platform multipliers: update': multiplierWrites(world, owner, 'platform', 'App', 'put'),
    'Platform multipliers: list': multiplierLists(world, owner, 'platform'),
  };
}

function itemErrors(world: World, owner: () => Client): Provocations {
  const path = '/api/v1/adItems';
  const element = async (fields: Fields = {}) => {
    const { campaignId, adGroupId } = await world.campaign('C-man');
    const { available } = (await world.state()).catalogue;
    return { campaignId, adGroupId, itemId: available[0], bid: 1, status: 'enabled', ...fields };
  };
  return {
    method: 'POST',
    path,
    call: async (client) => client.post(path, [await element()]),
    byText: {
      'Field [adGroupId] not found in request': async () => owner().post(path, [await element({ adGroupId: null })]),
      'Invalid request parameter(s)': () => owner().post(path, []),
      "You don't have permission to edit this ad group.": async () =>
        world.as('stranger').post(path, [await element()]),
      'AdGroup not found.': async () => owner().post(path, [await element({ adGroupId: 1 })]),
      'AdGroupItem not found.': async () => owner().put(path, [await element()]),
    },
  };
}

function sbaErrors(world: World, owner: () => Client) {
  const path = '/api/v2/sba_profile';
  const list = async (client: Client, name: string, query = '') =>
    client.get(`${path}?adGroupId=${(await world.campaign(name)).adGroupId}${query}`);
  const create = async (name: string, fields: Fields = {}, times = 1) =>
    owner().post(path, Array(times).fill(await aProfile(world, name, fields)));
  const createV1 = async (name: string) => {
    const { adGroupId } = await world.campaign(name);
    const texts = { brandName: 'Northwind', headline: 'Paper', clickUrl: 'https://shop.example/browse', logoUrl: '' };
    return owner().post('/api/v1/sba_profile', [{ adGroupId, ...texts }]);
  };
  const record = async (name: string, index: number, fields: Fields = {}) => {
    const [present = {}] = ((await listProfiles(world, name)).body as readonly object[]).slice(index);
    return { ...present, ...fields };
  };
  const update = async (name: string, index: number, fields: Fields = {}, times = 1) =>
    owner().put(path, Array(times).fill(await record(name, index, fields)));
  const updateIn = async (other: string) => {
    const { campaignId, adGroupId } = await world.campaign(other);
    return update('C-sba-paused', 0, { campaignId, adGroupId });
  };
  const listErrors: Provocations = {
    method: 'GET',
    path,
    call: (client) => list(client, 'C-sba-live'),
    byText: {
      'CampaignId not found in request': () => list(owner(), 'C-sba-live', '&campaignId='),
      'adGroupId not found in request': () => owner().get(path),
      'AdGroup not found': () => owner().get(`${path}?adGroupId=1`),
      'Campaign not found': () => list(owner(), 'C-sba-live', '&campaignId=1'),
      'Please use AdGroupMedia endpoints for AdGroupMedia': () => list(owner(), 'C-vid-live'),
    },
  };
  const createErrors: Provocations = {
    method: 'POST',
    path,
    call: async (client) => client.post(path, [await aProfile(world, 'C-sba')]),
    byText: {
      'Maximum allowed size in batch is 50': () => create('C-sba', {}, 51),
      'empty input': () => owner().post(path, []),
      'AdGroup not found': () => create('C-sba', { adGroupId: 1 }),
      'Campaign not found': () => create('C-sba', { campaignId: 1 }),
      'Cannot define SBA Profile for video campaigns': () => create('C-vid'),
      'Campaign is Under review, adding is not allowed': () => create('C-sba-review'),
      'AdGroup already has search amplifier defined, please update existing instead of defining new one': () =>
        createV1('C-sba-paused'),
      'Please use V2 endpoints for multiple sba profiles': () => createV1('C-sba-live'),
      'Cannot be more than 2 sba profiles in an adGroup': () => create('C-sba-live'),
    },
    elsewhere: {
      'AdGroup already has media defined, please update existing instead of defining new one':
        'said by POST /api/v1/adGroup/media',
    },
  };
  const updateErrors: Provocations = {
    method: 'PUT',
    path,
    call: async (client) => client.put(path, [await record('C-sba-paused', 0)]),
    byText: {
      'Maximum allowed size in batch is 50': () => update('C-sba-paused', 0, {}, 51),
      'empty input': () => owner().put(path, []),
      'Sba Profile Id validation failed': () => update('C-sba-paused', 0, { sbaProfileId: 'x' }),
      'You cannot both update and enable this in the same time when campaign is active, because it was previously approved':
        () => update('C-sba-live', 1, { status: 'enabled', headlineText: 'Changed' }),
      'AdGroup not found': () => update('C-sba-paused', 0, { adGroupId: 1 }),
      'Campaign not found': () => update('C-sba-paused', 0, { campaignId: 1 }),
      'SBA Profile details not found for AdGroup': () => update('C-sba-paused', 0, { sbaProfileId: 99_999 }),
      'This endpoint is not allowed for this campaign type': () => updateIn('C-man'),
      'Campaign is Under review, modifying is not allowed': () => update('C-sba-review', 0),
      'Please use AdGroupMedia endpoints for AdGroupMedia': () => updateIn('C-vid-live'),
      'You cannot update the enabled one for campaigns which are scheduled or currently live': () =>
        update('C-sba-live', 0),
      'Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live':
        async () => {
          await update('C-sba-live', 1, { headlineText: 'Changed' });
          return update('C-sba-live', 1, { status: 'enabled' });
        },
    },
    elsewhere: {
      'Please use V2 endpoints for multiple sba profiles': 'said by V1',
      'AdGroup Media not found for AdGroup': 'said by PUT /api/v1/adGroup/media',
      'Please use sbaProfile endpoints for sbaProfile': 'said by PUT /api/v1/adGroup/media',
      'Cannot define adGroup media for these campaigns': 'said by PUT /api/v1/adGroup/media',
    },
  };
  return { 'SBA list (V2)': listErrors, 'SBA create (V2)': createErrors, 'SBA update (V2)': updateErrors };
}

function logoErrors(world: World, owner: () => Client): Provocations {
  const path = '/api/v2/sba_profile_image_upload';
  const upload = (name: string, choices: Upload = {}) => uploadLogo(world, owner(), name, choices);
  const withIds = async (name: string, fields: Fields) => {
    const { campaignId, adGroupId } = await world.campaign(name);
    const sbaProfileId = fieldOf(await listProfiles(world, name), 'sbaProfileId') ?? 1;
    return upload('C-sba-paused', { part: { campaignId, adGroupId, sbaProfileId, ...fields } });
  };
  return {
    method: 'POST',
    path,
    call: (client) => uploadLogo(world, client, 'C-sba-paused'),
    byText: {
      'Invalid Upload Request': () => owner().post(path, {}),
      'Missing FILE': () => upload('C-sba-paused', { withoutFile: true }),
      'Missing form param <SBABaseProfileRequest>': () => upload('C-sba-paused', { part: null }),
      'Unable to upload the image.': () => upload('C-sba-paused', { bytes: aLogo().subarray(0, 20) }),
      'Campaign Id validation failed': () => withIds('C-sba-paused', { campaignId: 'x' }),
      'AdGroup Id validation failed': () => withIds('C-sba-paused', { adGroupId: 'x' }),
      'Sba Profile Id validation failed': () => withIds('C-sba-paused', { sbaProfileId: 'x' }),
      'File name cannot be empty': () => upload('C-sba-paused', { fileName: '' }),
      'File size exceeds maximum limit of 1024 Kb': () =>
        upload('C-sba-paused', { bytes: aLogo(100, 100, 1024 * 1024) }),
      'Invalid ContentType. Media Type image/png allowed only': () => upload('C-sba-paused', { type: 'image/gif' }),
      'ContentType and mimeType does not match': () => upload('C-sba-paused', { bytes: Buffer.from('GIF89a') }),
      'empty input': () => upload('C-sba-paused', { part: '' }),
      'AdGroup not found': () => withIds('C-sba-paused', { adGroupId: 1 }),
      'Campaign is Under review, modifying is not allowed': () => upload('C-sba-review'),
      'Please use AdGroupMedia endpoints for AdGroupMedia': () => withIds('C-vid-live', {}),
      'Cannot define adGroup media for these campaigns': () => withIds('C-man', {}),
      'You cannot update the enabled one for campaigns which are scheduled or currently live': () =>
        upload('C-sba-live'),
    },
    elsewhere: {
      'Please use V2 endpoints for multiple sba profiles': 'said by V1',
      'You cannot both update and enable this in the same time when campaign is active, because it was previously approved':
        'an upload enables nothing',
      'Please use sbaProfile endpoints for sbaProfile': 'said by PUT /api/v1/adGroup/media',
      'Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live':
        'an upload enables nothing',
    },
  };
}

type Kind = 'placement' | 'platform';

function multiplierWrites(
  world: World,
  owner: () => Client,
  kind: Kind,
  type: string,
  method: 'post' | 'put',
): Provocations {
  const path = `/api/v1/multipliers/${kind}`;
  const Kind = kind === 'placement' ? 'Placement' : 'Platform';
  const element = async (fields: Fields = {}, name = 'C-man') => ({
    campaignId: (await world.campaign(name)).campaignId,
    [`${kind}Type`]: type,
    multiplier: 1,
    ...fields,
  });
  const send = async (fields: Fields, name?: string, client = owner()) =>
    client[method](path, [await element(fields, name)]);
  return {
    method: method.toUpperCase(),
    path,
    call: (client) => send({}, 'C-man', client),
    byText: {
      'You cannot define bid multipliers for this campaign': () => send({}, 'C-vid'),
      [`Invalid ${Kind} Type found`]: () => send({ [`${kind}Type`]: 'Elsewhere' }),
      [`The ${kind} bid% cannot be less than 0 for ${Kind}Type: ${type}`]: () => send({ multiplier: -1 }),
      [`The ${kind} bid% out of range for ${Kind}Type: ${type}`]: () => send({ multiplier: 50_001 }),
      'Maximum allowed size in batch is 50': async () => owner()[method](path, Array(51).fill(await element())),
      'Empty Input': () => owner()[method](path, []),
      'Campaign not found': () => send({ campaignId: 1 }),
      'You do not have access to view this campaign': () => send({}, 'C-man', world.as('stranger')),
      'You do not have access to change this bid multiplier': () => send({}, 'C-man', world.as('reader')),
    },
  };
}

function multiplierLists(world: World, owner: () => Client, kind: Kind): Provocations {
  const path = `/api/v1/multipliers/${kind}`;
  const list = async (client: Client, name: string) =>
    client.get(`${path}?campaignId=${(await world.campaign(name)).campaignId}`);
  return {
    method: 'GET',
    path,
    call: (client) => list(client, 'C-man'),
    byText: {
      'CampaignId not found in request': () => owner().get(path),
      'Campaign not found': () => owner().get(`${path}?campaignId=1`),
      'No bid multipliers for this campaign type': () => list(owner(), 'C-vid'),
    },
  };
}
