import { requireRead, requireWrite } from '../access.ts';
import { isAbove, parseId, readDecimal, readElements, readId, readText, required } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { Service } from '../service.ts';
import { type CampaignRow, showRow } from '../tables.ts';
import { failure, type Result, success } from '../wire/handle-call.ts';
import { type Call, create, type Route, read, update } from '../wire/route.ts';

/**
 * "Placement multipliers" and "Platform multipliers": the same operations with parallel names. Creating an existing
 * pair overwrites it; updating a missing one fails that element.
 */
interface Kind {
  readonly name: 'placement' | 'platform';
  readonly typeField: string;
  readonly idField: string;
  readonly typesOf: (campaign: CampaignRow) => readonly string[];
  readonly invalid: string;
  readonly negative: (type: string) => string;
  readonly outOfRange: (type: string) => string;
}

const placement: Kind = {
  name: 'placement',
  typeField: 'placementType',
  idField: 'placementMultiplierId',
  typesOf: (campaign) => limits.placements[campaign.targeting_type],
  invalid: messages.placementInvalid,
  negative: messages.placementNegative,
  outOfRange: messages.placementOutOfRange,
};

const platform: Kind = {
  name: 'platform',
  typeField: 'platformType',
  idField: 'platformMultiplierId',
  typesOf: () => limits.platforms,
  invalid: messages.platformInvalid,
  negative: messages.platformNegative,
  outOfRange: messages.platformOutOfRange,
};

export const multiplierRoutes: readonly Route[] = [placement, platform].flatMap((kind) => {
  const path = `/api/v1/multipliers/${kind.name}`;
  return [
    read(path, (service, call) => listMultipliers(service, call, kind)),
    create(path, (service, call) => writeMultipliers(service, call, kind, 'multiplier-create')),
    update(path, (service, call) => writeMultipliers(service, call, kind, 'multiplier-update')),
  ];
});

function listMultipliers(service: Service, call: Call, kind: Kind): readonly unknown[] {
  const campaignId = required(parseId(call.query.get('campaignId')), 'campaignId', messages.campaignIdMissing);
  const campaign = service.store.find('campaign', campaignId);
  if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  requireRead(call.principal, campaign.advertiser_id, 'multiplier-list');
  if (campaign.campaign_type !== 'sponsoredProducts') throw new Refusal(404, messages.multipliersNotForType);
  return service.store
    .list('multiplier', { campaign_id: campaignId, kind: kind.name })
    .map((row) => ({ ...showRow('multiplier', row), [kind.typeField]: row.type }));
}

function writeMultipliers(
  service: Service,
  call: Call,
  kind: Kind,
  family: 'multiplier-create' | 'multiplier-update',
): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputMultiplier).map((fields) => ({
    campaignId: required(readId(fields, 'campaignId'), 'campaignId', messages.campaignIdMissing),
    // The parameter table of the platform update calls the field placementType.
    type: required(readText(fields, kind.typeField) ?? readText(fields, 'placementType'), kind.typeField),
    multiplier: required(readDecimal(fields, 'multiplier'), 'multiplier'),
  }));
  const resolved = elements.map((element) => {
    const campaign = service.store.find('campaign', element.campaignId);
    if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
    return { ...element, campaign };
  });
  for (const { campaign } of resolved) requireWrite(call.principal, campaign.advertiser_id, family);

  return resolved.map(({ campaign, type, multiplier }) => {
    const fail = (details: string) => failure(kind.idField, details);
    if (campaign.campaign_type !== 'sponsoredProducts') return fail(messages.multipliersNotForCampaign);
    if (!kind.typesOf(campaign).includes(type)) return fail(kind.invalid);
    if (multiplier.negative) return fail(kind.negative(type));
    if (isAbove(multiplier, limits.multiplierMaxHundredths)) return fail(kind.outOfRange(type));
    const { campaign_id } = campaign;
    const pair = { campaign_id, kind: kind.name, type };
    const [known] = service.store.list('multiplier', pair);
    if (known === undefined) {
      if (family === 'multiplier-update') return fail(ownMessages.multiplierAbsent(type));
      return success(kind.idField, service.store.insert('multiplier', { ...pair, multiplier: multiplier.hundredths }));
    }
    service.store.update('multiplier', known.multiplier_id, { multiplier: multiplier.hundredths });
    return success(kind.idField, known.multiplier_id);
  });
}

/** Validates a multiplier set in the console. */
export function judgeMultiplier(kindName: string, type: string, hundredths: number): string | null {
  const kind = kindName === platform.name ? platform : placement;
  return hundredths > limits.multiplierMaxHundredths ? kind.outOfRange(type) : null;
}
