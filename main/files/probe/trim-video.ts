import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
} from 'mediabunny';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { errorCode } from '../../app/system.ts';

/**
 * Cuts a video by copying its packets, so that nothing is encoded again. It can begin only at a key frame. It can end
 * after any packet, in decoding order, if all frames displayed before it are included:
 *
 *   decoded   I0 P3 B1 B2 | P6 B4 B5 | I9 ...        possible ends are at |
 *   shown     I0 B1 B2 P3 | B4 B5 P6 | ...
 */
export interface TrimOptions {
  readonly path: string;
  /** A new file; the caller removes it after a failure. */
  readonly target: string;
  readonly container: 'mp4' | 'mov';
  /** Milliseconds of the video; it begins at the last key frame up to here. */
  readonly fromMs: number;
  /** Latest end, in milliseconds of the video. */
  readonly toMs: number;
}

/** Start of the result in the original, and length of its pictures, in milliseconds. */
export interface Trimmed {
  readonly fromMs: number;
  readonly lengthMs: number;
}

/** Times are rounded to the time scale of a track; no two frames are this close, in seconds. */
const TOLERANCE = 0.0005;
const KEY_FRAMES_MAX = 20_000;
const QUICK = { metadataOnly: true } as const;
/** Some files mark every frame as a key frame; their bytes are checked. */
const VERIFIED = { verifyKeyPackets: true } as const;
const seconds = (ms: number): number => ms / 1000;
const milliseconds = (s: number): number => Math.round(s * 1000);

/** The times at which a trimmed video can begin, in milliseconds. */
export const readKeyFrames = (path: string): Promise<Result<readonly number[], FileRefusal>> =>
  withVideo(path, async ({ video }) => {
    const sink = new EncodedPacketSink(video);
    const times: number[] = [];
    let at = await sink.getFirstKeyPacket(QUICK);
    while (at !== null && times.length < KEY_FRAMES_MAX) {
      times.push(Math.max(0, milliseconds(at.timestamp)));
      at = await sink.getNextKeyPacket(at, QUICK);
    }
    return times.length === 0 ? err(fileRefusal('no-key-frame', { at: 0 })) : ok(times);
  });

/** @param tell called with the fraction of copied packets, from 0 to 1 */
export const trimVideo = (order: TrimOptions, tell: (done: number) => void): Promise<Result<Trimmed, FileRefusal>> =>
  withVideo(order.path, async ({ input, video }) => {
    const { fromMs, toMs } = order;
    const key = await new EncodedPacketSink(video).getKeyPacket(seconds(fromMs) + TOLERANCE, VERIFIED);
    if (key === null) return err(fileRefusal('no-key-frame', { at: seconds(fromMs) }));
    const start = key.timestamp;
    const cut = toMs <= fromMs ? null : await cutAfter(video, key, seconds(toMs));
    if (cut === null) return err(fileRefusal('no-cut', { from: seconds(milliseconds(start)), to: seconds(toMs) }));
    const sounds: Sound[] = [];
    for (const track of await input.getAudioTracks()) {
      const packets = await countSounds(track, start, cut.end);
      if (packets > 0) sounds.push({ track, packets });
    }
    const total = sounds.reduce((sum, { packets }) => sum + packets, cut.packets);
    let copied = 0;
    const copiedOne = (): void => {
      copied += 1;
      if (copied % 100 === 0) tell(copied / total);
    };
    // Space for the table of contents is reserved at the start, where players and the service expect it.
    const options = { fastStart: 'reserve' } as const;
    const output = new Output({
      format: order.container === 'mov' ? new MovOutputFormat(options) : new Mp4OutputFormat(options),
      target: new FilePathTarget(order.target),
    });
    try {
      await copyPackets(output, { video, key, cut, sounds, start }, copiedOne);
    } catch (error) {
      if (output.state !== 'canceled' && output.state !== 'finalized') await output.cancel();
      throw error;
    }
    return ok({ fromMs: Math.max(0, milliseconds(start)), lengthMs: milliseconds(cut.end - start) });
  });

interface Opened {
  readonly input: Input;
  readonly video: InputVideoTrack;
}

/** Opens a video that can be copied, and converts errors thrown inside to refusals. */
async function withVideo<T>(
  path: string,
  work: (opened: Opened) => Promise<Result<T, FileRefusal>>,
): Promise<Result<T, FileRefusal>> {
  Logging.level = LogLevel.Silent; // it would print the errors returned here
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] });
  try {
    const video = await input.getPrimaryVideoTrack();
    if (video === null) return err(fileRefusal('no-picture-track'));
    for (const track of [video, ...(await input.getAudioTracks())]) {
      if ((await track.getCodec()) === null) {
        const codec = String((await track.getInternalCodecId()) ?? 'unknown');
        return err(fileRefusal('codec-not-copied', { codec }));
      }
    }
    return await work({ input, video });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') return err(fileRefusal('no-space'));
    if (code !== null) return err(fileRefusal('cannot-read', { code }));
    // The library throws plain errors with technical messages for bytes that it can't read.
    return err(fileRefusal('damaged-video', { what: 'its content is damaged' }));
  } finally {
    input.dispose();
  }
}

interface Cut {
  /** Packets of the result in the order of decoding. */
  readonly packets: number;
  /** The end of its last frame, in seconds of the original. */
  readonly end: number;
}

/** The last possible end up to `latest`; null when already the first frame is longer. */
async function cutAfter(video: InputVideoTrack, key: EncodedPacket, latest: number): Promise<Cut | null> {
  let found: Cut | null = null;
  let packets = 0;
  let end = key.timestamp;
  for await (const packet of new EncodedPacketSink(video).packets(key, undefined, QUICK)) {
    if (isBefore(packet, key.timestamp)) continue;
    if (packets > 0 && packet.timestamp >= end - TOLERANCE) found = { packets, end };
    if (packet.timestamp + packet.duration > latest + TOLERANCE) return found;
    packets += 1;
    end = Math.max(end, packet.timestamp + packet.duration);
  }
  return packets === 0 ? null : { packets, end };
}

/** Frames decoded after the first key frame but displayed before it depend on removed frames. */
const isBefore = (packet: EncodedPacket, start: number): boolean => packet.timestamp < start - TOLERANCE;

interface Sound {
  readonly track: InputAudioTrack;
  readonly packets: number;
}

async function* soundsBetween(track: InputAudioTrack, start: number, end: number, quick: boolean) {
  const sink = new EncodedPacketSink(track);
  const first = (await sink.getPacket(start, QUICK)) ?? (await sink.getFirstPacket(QUICK));
  if (first === null) return;
  // Packets with metadata only can't be the start for complete ones.
  const from = quick ? first : await sink.getPacket(first.timestamp + TOLERANCE);
  for await (const packet of sink.packets(from ?? undefined, undefined, quick ? QUICK : undefined)) {
    if (isBefore(packet, start)) continue;
    if (packet.timestamp + packet.duration > end + TOLERANCE) return;
    yield packet;
  }
}

async function countSounds(track: InputAudioTrack, start: number, end: number): Promise<number> {
  let packets = 0;
  for await (const _ of soundsBetween(track, start, end, true)) packets += 1;
  return packets;
}

interface SoundWriter {
  readonly source: EncodedAudioPacketSource;
  readonly left: AsyncGenerator<EncodedPacket, void>;
  next: IteratorResult<EncodedPacket, void>;
  readonly meta: EncodedAudioChunkMetadata;
}

interface Copy {
  readonly video: InputVideoTrack;
  readonly key: EncodedPacket;
  readonly cut: Cut;
  readonly sounds: readonly Sound[];
  readonly start: number;
}

/** Writes frames and audio alternately, in playback order. */
async function copyPackets(output: Output, { video, key, cut, sounds, start }: Copy, copied: () => void) {
  const pictures = new EncodedVideoPacketSource((await video.getCodec()) ?? 'avc');
  output.addVideoTrack(pictures, {
    transformationMatrix: await video.getTransformationMatrix(),
    languageCode: await video.getLanguageCode(),
    maximumPacketCount: cut.packets,
  });
  const writers: SoundWriter[] = [];
  for (const { track, packets } of sounds) {
    const source = new EncodedAudioPacketSource((await track.getCodec()) ?? 'aac');
    output.addAudioTrack(source, { languageCode: await track.getLanguageCode(), maximumPacketCount: packets });
    const config = await track.getDecoderConfig();
    const left = soundsBetween(track, start, cut.end, false);
    writers.push({ source, left, next: await left.next(), meta: config === null ? {} : { decoderConfig: config } });
  }
  await output.start();
  const soundsUpTo = async (time: number): Promise<void> => {
    for (const writer of writers) {
      while (writer.next.done !== true && writer.next.value.timestamp <= time) {
        const packet = writer.next.value;
        await writer.source.add(packet.clone({ timestamp: Math.max(0, packet.timestamp - start) }), writer.meta);
        copied();
        writer.next = await writer.left.next();
      }
    }
  };
  const config = await video.getDecoderConfig();
  const meta = config === null ? {} : { decoderConfig: config };
  let left = cut.packets;
  for await (const packet of new EncodedPacketSink(video).packets(key)) {
    if (left === 0) break;
    if (isBefore(packet, start)) continue;
    await soundsUpTo(packet.timestamp);
    await pictures.add(packet.clone({ timestamp: Math.max(0, packet.timestamp - start) }), meta);
    copied();
    left -= 1;
  }
  await soundsUpTo(Number.POSITIVE_INFINITY);
  await output.finalize();
}
