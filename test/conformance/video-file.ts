/** The smallest files with the form of a video: a type box, a movie header with a length, and some bytes of media. */
export function aVideo(seconds: number, kind: 'mp4' | 'mov' = 'mp4'): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1000, 12);
  header.writeUInt32BE(Math.round(seconds * 1000), 16);
  const type = Buffer.from(kind === 'mp4' ? 'isom\0\0\0\0isommp42' : 'qt  \0\0\0\0qt  ', 'latin1');
  return Buffer.concat([box('ftyp', type), box('mdat', Buffer.alloc(64)), box('moov', box('mvhd', header))]);
}

export const captions = 'WEBVTT\n\n00:00.000 --> 00:02.000\nPaper towels at work\n';

function box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}
