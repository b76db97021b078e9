/**
 * Every service, network and media row of the table of faults, and the case that plays it: a hostile answer of the
 * same number, or a test by its title. The check fails for a row without a case and for a case that is gone.
 */
export const SERVICE_ROWS: readonly number[] = [
  1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26, 27, 29, 30,
].concat([31, 33, 34, 35, 37, 38, 39, 41, 42, 43, 93, 94, 95, 97, 98, 99, 101, 102, 103, 105, 106, 107, 109]);

const HERE = 'test/faults/service.test.ts';
const STATES = 'test/faults/service-states.test.ts';
const GONE = 'test/sync/gone.test.ts';
const WAITING = 'test/sync/waiting.test.ts';
const PROBE = 'test/media/probe.test.ts';
const MEDIA = 'test/faults/media-states.test.ts';
const TLS = 'test/sync/upload-tls.test.ts';
export const SERVICE_TESTS: Readonly<Record<number, readonly (readonly [file: string, title: string])[]>> = {
  1: [['test/sync/practice-run.test.ts', 'a service that cannot be reached stops the run with nothing sent']],
  2: [[HERE, 'fault 2: a name that cannot be resolved']],
  3: [
    [HERE, 'fault 3: a certificate nobody vouches for'],
    [TLS, 'a certificate %s is refused at the handshake, told, and not tried again'],
  ],
  7: [['test/sync/simulator.test.ts', 'in every life with faults, crashes, pauses and full disks']],
  11: [[HERE, 'fault 11: half the batch is written']],
  13: [[HERE, 'fault 13: results in another order']],
  15: [[HERE, 'fault 15: one id for two rows']],
  17: [['test/api/classify.test.ts', 'an id beyond 2^53 stays exact']],
  30: [[HERE, 'fault 30: a list that leaves a field out']],
  34: [[HERE, 'fault 34: 429 on every second call']],
  37: [
    [
      HERE,
      'fault 37: what one list lacks is told, its edit is kept and not sent, and a list that has it again ends it',
    ],
    [GONE, 'one list proves nothing; a second, two minutes on, makes it a conflict about the row itself'],
    [GONE, 'a campaign that answers 404 is asked about as a whole, and nothing below it is sent'],
  ],
  38: [
    [STATES, 'fault 38: what a review refuses is told in its words, then with the way out: cancel, send, submit again'],
  ],
  41: [['test/api/http.test.ts', 'a clock that is hours off is corrected by the Date of the answer, once']],
  42: [
    [HERE, 'fault 42: a video that is processed for ever blocks nothing else'],
    [WAITING, 'a video that is worked on for more than two hours is told apart'],
    ['test/sync/poll-pace.test.ts', 'a video is overdue'],
  ],
  43: [['test/sync/practice-run.test.ts', 'what somebody else changed meanwhile becomes a conflict']],
  93: [
    [PROBE, 'tells its size'],
    [MEDIA, 'fault 93: a logo of 101 by 100 pixels is told with its size and with the one that is wanted'],
  ],
  94: [[PROBE, 'that claims 60,000 x 60,000 is measured without being decoded']],
  95: [[PROBE, 'a JPEG renamed .png']],
  97: [
    [PROBE, 'without its end is refused'],
    [PROBE, 'with bytes after its end is refused'],
    [PROBE, 'with a wrong checksum is refused'],
  ],
  98: [
    [PROBE, 'an SVG'],
    [PROBE, 'a web page'],
    [PROBE, 'with bytes after its end is refused'],
  ],
  99: [
    [STATES, 'fault 99: a film of %s s'],
    [PROBE, 'tells its length, size and codecs'],
  ],
  101: [[PROBE, 'a text renamed .mp4']],
  102: [
    ['test/sync/upload.test.ts', 'a file that changed since it entered the library never arrives whole'],
    [MEDIA, 'fault 102: a film that %s while it travels never arrives whole'],
  ],
  103: [['test/sync/upload.test.ts', 'a file that is gone, a refused address and a redirect are told apart']],
  105: [[HERE, 'fault 105: upload addresses that are over']],
  106: [
    [HERE, 'fault 106: an upload address on %s gets not one request'],
    ['test/sync/address-guard.test.ts', 'https://0x7f000001/'],
    [TLS, 'while nobody has allowed the host, not even a connection is opened'],
    [TLS, 'a redirect is not followed, wherever it leads'],
  ],
  107: [
    ['test/sync/address-guard.test.ts', 'a host is connected to at the address that was checked'],
    [TLS, 'a name that leads into the private network is refused although the user allowed it'],
  ],
  109: [
    [PROBE, 'with wrong times name the lines'],
    [MEDIA, 'fault 109: captions in the wrong order are told by their line, and markup in them is a text'],
    [MEDIA, 'fault 109: 100,000 captions are refused with the limit'],
  ],
};
