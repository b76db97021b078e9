import type { ErrorHelp } from './explanation.ts';

/** Bid multipliers (document, "Multipliers: create and update" and "Multipliers: list"). */
export const MULTIPLIER_MESSAGES: readonly ErrorHelp[] = [
  {
    id: 'multiplier-campaign',
    says: ['You cannot define bid multipliers for this campaign', 'No bid multipliers for this campaign type'],
    cause: 'Only sponsored products campaigns have bid multipliers.',
    next: 'Delete the multiplier here.',
    field: null,
    place: 'row',
  },
  {
    id: 'multiplier-placement',
    says: ['Invalid Placement Type found'],
    cause:
      'The placement is not offered for this campaign. Manual campaigns have fewer placements than automatic ones.',
    next: 'Choose another placement, or delete the multiplier.',
    field: 'placement',
    place: 'field',
  },
  {
    id: 'multiplier-platform',
    says: ['Invalid Platform Type found'],
    cause: 'The service does not offer this platform.',
    next: 'Choose one of these, or delete the multiplier.',
    field: 'platform',
    place: 'field',
  },
  {
    id: 'multiplier-negative',
    says: [
      'The placement bid% cannot be less than 0 for PlacementType: <type>',
      'The platform bid% cannot be less than 0 for PlatformType: <type>',
    ],
    cause: 'The multiplier for {type} is below 0 %.',
    next: 'Type 0 or more.',
    field: 'multiplier',
    place: 'field',
  },
  {
    id: 'multiplier-range',
    says: [
      'The placement bid% out of range for PlacementType: <type>',
      'The platform bid% out of range for PlatformType: <type>',
    ],
    cause: 'The multiplier for {type} is above what the service takes.',
    next: 'Lower it; check the decimal point.',
    field: 'multiplier',
    place: 'field',
  },
  {
    id: 'multiplier-access',
    says: ['You do not have access to change this bid multiplier'],
    cause: 'The key in use may look at this campaign, but not change its bids.',
    next: 'Ask the owner of the account for the right, or use another key.',
    field: null,
    place: 'keys',
  },
];
