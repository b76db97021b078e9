import { randomBytes, randomInt } from 'node:crypto';
import { z } from 'zod';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { TeamRecord } from '../accounts/account-record.ts';
import {
  decrypt,
  decryptKey,
  Encrypted,
  encrypt,
  encryptKey,
  KEY_BYTES,
  PassphraseKey,
} from '../accounts/encryption.ts';

/** Contents of an invitation: everything that a new computer needs to connect once. */
const Invitation = TeamRecord.pick({ hosts: true, database: true, ca: true, workspace: true, login: true }).extend({
  password: z.string().min(1).max(1000),
  /** The proposed account name. */
  account: z.string().max(1000),
});
export type Invitation = z.infer<typeof Invitation>;

/**
 * An `.adslate-invite` file, encrypted like accounts with a passphrase. The passphrase is six words sent over another
 * channel: 48 bits, behind a key derivation that takes 128 MiB and a third of a second per guess. The password inside
 * is valid for 7 days and one use.
 */
const InvitationFile = z.strictObject({ adslate: z.literal('invitation 1'), lock: PassphraseKey, sealed: Encrypted });

const LABEL = 'adslate invitation 1';
export const INVITATION_BYTES_MAX = 256 * 1024;

export async function sealInvitation(
  invitation: Invitation,
): Promise<{ readonly file: string; readonly words: readonly string[] }> {
  const words = Array.from({ length: 6 }, () => WORDS[randomInt(WORDS.length)] ?? '');
  const key = randomBytes(KEY_BYTES);
  const lock = await encryptKey(key, words.join(' '));
  const sealed = encrypt(key, LABEL, Buffer.from(JSON.stringify(invitation)));
  return { file: `${JSON.stringify({ adslate: 'invitation 1', lock, sealed })}\n`, words };
}

/** @param words in any case, separated by anything but letters */
export async function openInvitation(file: string, words: string): Promise<Result<Invitation, 'file' | 'words'>> {
  const read = InvitationFile.safeParse(jsonOrNull(file));
  if (!read.success) return err('file');
  const key = await decryptKey(read.data.lock, (words.toLowerCase().match(/[a-z]+/gu) ?? []).join(' '));
  if (key === null) return err('words');
  const text = decrypt(key, LABEL, read.data.sealed);
  const invitation = Invitation.safeParse(jsonOrNull(text?.toString('utf8') ?? ''));
  return invitation.success ? ok(invitation.data) : err('file');
}

/** 256 short, common words that sound different, so that each stands for 8 bits. */
export const WORDS: readonly string[] = `
acorn actor album alley amber angle ankle apple april apron arrow atlas attic autumn bacon badge bagel baker balcony bamboo
banana banjo barrel basket beach beaver bench berry bicycle bishop blanket blossom bonnet bottle branch bread bridge bronze
broom bubble bucket buffalo butter button cabin cactus camel camera canal candle canoe canyon captain carbon carpet carrot
castle cattle cedar cello chalk cheese cherry chimney circus clover cobra coffee comet compass copper coral corner cotton
cousin cradle crater crayon cricket crystal curtain cushion cymbal dagger daisy dancer desert diamond dinner doctor dolphin
donkey dragon dune drummer eagle easel echo elbow elephant emerald engine envelope fabric falcon farmer feather fender
fiddle finger flamingo forest fossil fountain fridge galaxy garden garlic ginger giraffe glacier goblet granite grape gravel
guitar hammer hammock harbor harvest hazel helmet hermit hockey honey horizon hunter iceberg igloo indigo insect island ivory
jacket jaguar jasmine jelly jersey jigsaw jungle kayak kettle kitchen kitten koala ladder lagoon lantern laptop lemon leopard
library lily lion lizard lobster locket lumber magnet mango maple marble meadow melon mirror mitten monkey mosaic mountain
muffin museum mustard napkin needle nickel noodle oasis ocean olive onion orange orchid otter oyster paddle palace panda
panther paper parrot peacock peanut pebble pelican pencil pepper piano pigeon pillow planet pocket pottery pumpkin puppet
quartz quilt rabbit radar raven ribbon river robin rocket rose saddle sailor salmon sandal satin scooter shadow silver
sparrow spider spinach spiral sponge squirrel stadium statue sugar summer sunset tablet teapot temple tiger tomato trumpet tulip
turtle velvet violin volcano walnut zebra`
  .trim()
  .split(/\s+/u);
