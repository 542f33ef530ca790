// The protocol of node locks and read marks as a program of few threads, and a search of all its executions under store buffers.
//
// Each thread is a coroutine whose state is plain data. A step is one access to shared memory. A plain store enters a FIFO buffer
// of its thread and becomes visible later, as on x86 and other processors with total store order. A fence or a
// read-modify-write waits until the buffer is empty. The search visits every reachable state once (states are recognised by a
// hash of 64 bits), so a scenario without a violation has none in any execution with these buffers.
//
// Not covered: loads that are early and stores that are out of order (weak ordering), torn values, more threads than the scenario
// has. README.md beside this file says what each scenario is for.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using Word = uint64_t;

// MARK: Shared memory

constexpr int maxThreads = 3, nodeCount = 4;
enum Node : int { X, Y, E, F };
constexpr bool isSource(int node) { return node < E; }

// The words of a node. Of a source `Stale` is its lock. `Rec` holds value and number, which the engine's sequence lock keeps
// together. `Subs` holds the set of dependents, and a count of the links that were ever added, which stands for the address of
// the first link.
enum Field : int { Mark, Valid, Stale, Rec, From, Subs, Lock, Publications, Deps, Link0, Link1, Link2, Retained, fieldCount };
constexpr int cell(int node, Field field) { return node * fieldCount + field; }
constexpr int link(int sub, int dep) { return cell(sub, Field(Link0 + dep)); }
enum Global : int {
  Clock = nodeCount * fieldCount, Settled, Watched, Notified, NotifiedNumber, NotifiedPrivate, Notifications, Pin0,
  Section0 = Pin0 + maxThreads, Debts0 = Section0 + maxThreads, cellCount = Debts0 + maxThreads
};

// A record: value and number.
constexpr Word rec(Word value, Word number) { return value | number << 32; }
constexpr Word valueOf(Word rec) { return rec & 0xFFFFFFFF; }
constexpr Word numberOf(Word rec) { return rec >> 32; }
// A mark, and a pin: epoch, thread (marks only), pin generation. A pin has a bit for its debts.
constexpr Word several = 15;
constexpr Word mark(Word epoch, Word thread, Word era) { return epoch | (thread + 1) << 8 | era << 12; }
constexpr Word severalMark(Word epoch) { return epoch | several << 8; }
constexpr Word pinWord(Word epoch, Word era) { return epoch | era << 12 | 1 << 20; }
constexpr Word debtBit = 1 << 21;
constexpr Word epochOf(Word word) { return word & 0xFF; }
constexpr Word threadOf(Word word) { return (word >> 8 & 15) - 1; }
constexpr Word eraOf(Word word) { return word >> 12 & 15; }
// A retained version in 16 bits: value, number, from, until; and as a debt with the node below.
constexpr Word version(Word value, Word number, Word from, Word until) { return value | number << 4 | from << 8 | until << 12; }

// MARK: Faults that can be planted

#define FAULTS(each)                                                                                                   \
  each(noReadMark, "a read leaves no mark")                                                                            \
  each(ignoreMarksOfDerived, "a commit does not look at the marks of what it invalidates")                             \
  each(ignoreMarksOfSources, "a commit does not look at the marks of what it writes")                                  \
  each(noTick, "a conflict does not advance the clock")                                                                \
  each(noRetain, "no version is retained for a pin")                                                                   \
  each(noHandingOn, "the end of a pin destroys its debts, and hands none on")                                          \
  each(noFenceAfterInvalidation, "no fence between invalidation and marks")                                            \
  each(noFenceAfterPublication, "no fence between publication and its last look")                                      \
  each(noLastLook, "no look at staledAt after a publication")                                                          \
  each(noFenceInPin, "no fence in the announcement of a pin")                                                          \
  each(noSecondLookAtClock, "a pin does not look at the clock again")                                                  \
  each(noSecondLookAtStale, "a commit does not ask whether what was stale was published since")                        \
  each(noSecondLookAtSubs, "a commit does not ask whether links were added since")                                     \
  each(noFenceAfterSecondLook, "links that were added are followed without a fence after them")                        \
  each(noCheckOfNewLinks, "a publication does not look at what it was linked to")                                      \
  each(numberBeforeValidity, "a publication compares the number of a new dependency before it asks whether it is valid") \
  each(noCheckOfPublications, "a computation publishes over an unlinking or a publication")                            \
  each(noCheckWhenConfirmed, "a validation confirms over an unlinking or a publication")                               \
  each(stopAtUnfinished, "a commit stops at what a running commit has invalidated")                                    \
  each(staledAtFirstInValidation, "a validation loads staledAt after the dependencies")                                \
  each(noSecondLookAfterMark, "no second look at the thread whose mark was replaced")                                  \
  each(noSeveral, "the mark of a running pin is replaced")                                                             \
  each(notifyOwn, "handlers are notified of the thread's result, and not of the newest version")                       \
  each(notifyOlder, "handlers are notified of a private result although a change was notified since before the pin")   \
  each(noLookAfterWatch, "the first handler does not ask whether the node is valid")                                   \
  each(noFenceAfterWatch, "no fence between the flag of the first handler and the look at validity")                   \
  each(keepOldStaleness, "a commit does not store its word where a node is stale")                                     \
  each(readLocked, "a read does not wait for a source that is being written")                                          \
  each(ignoreFrom, "a read does not ask from which epoch a value is known")                                            \
  each(publishPrivate, "a result that used a retained version is published")                                           \
  each(unlinkValid, "unlinking does not ask whether the node is still stale")                                          \
  each(confirmUnlinked, "a node without links is confirmed")                                                           \
  each(leavePrivate, "a thread whose result is private does not look again")                                           \
  each(settleEarly, "the clock is called settled although a pin is older")
// Rules of an earlier design that no execution needs: with each of these every scenario holds. README.md has the reasons.
#define VARIANTS(each)                                                                                                 \
  each(noCheckOfStaledAt, "a publication does not look at staledAt under the lock")                                    \
  each(staledAtFirst, "a read loads staledAt before validFor")                                                         \
  each(unlinkQuietly, "unlinking does not count as a publication")                                                     \
  each(unlinkWatched, "a node with handlers is unlinked")                                                              \
  each(noFenceOfOldPin, "a pin of an earlier epoch reads unmarked without a fence")                                    \
  each(markOfAnyEra, "a mark counts as left by the running pin whatever its generation")                               \
  each(retainAfterWrite, "a version is retained after it was overwritten, while the source is locked")

enum Fault : int {
  none,
#define NAME(name, text) name,
  FAULTS(NAME) VARIANTS(NAME)
};
struct Row { Fault fault; const char *name, *text; };
#define ROW(name, text) {name, #name, text},
static const std::vector<Row> faults = {FAULTS(ROW)}, variants = {VARIANTS(ROW)};
static Fault fault = none;

// MARK: Scenarios

enum Act : uint8_t { commit, look, plainLook, drain, observe };
// A commit writes `value` to the sources in `nodes`; a look reads the nodes of the list at one snapshot. `observe` adds the first
// handler of F, `drain` notifies its handlers if a commit of this thread, or its `observe`, has queued it.
struct Op { Act act; std::vector<int> nodes; int value = 0; };
struct Scenario {
  std::string name;
  std::vector<std::vector<Op>> threads;
  std::vector<int> depsOfE{X}, depsOfF{E, Y};
  // Links that exist at the beginning, and which derived values are stale then.
  bool isELinked = true, isFLinked = true, isEStale = false, isFStale = false;
  bool isWatched = false;     // F has handlers from the beginning
  bool isObserved = false;    // F has handlers from the beginning, or gets them
  bool isChoosing = false;    // F reads y only while E has its first value
  bool isPaired = false;      // x and y are only ever written together, with one value
  int pinsInEra = 15;
};
static const Scenario *scenario;
static const std::vector<int> &depsOf(int node) { return node == E ? scenario->depsOfE : scenario->depsOfF; }
// How many of its dependencies a node reads, given the value of the first.
static size_t readCount(int node, Word first) {
  return node == F && scenario->isChoosing && first != 1 ? 1 : depsOf(node).size();
}

// MARK: State

struct Buffered { uint8_t cell; Word value; };
struct Thread {
  uint16_t pc, line;
  uint16_t ret[8];
  uint8_t arg[8];
  uint8_t sp, op, i, j, k, buffered, commits, pins, tries;
  // Of a pin.
  uint8_t snapshot, isPrivate, outPrivate;
  Word outRec, a, b, c, d, version;
  Word v[nodeCount], p[nodeCount];
  // Before the pin of a notification.
  Word notifications, publications;
  uint8_t depIndex[nodeCount], mode[nodeCount];
  Word reads[2][3];
  // Of a commit.
  Word word, stamp;
  uint8_t staled[6], met[6], stales, mets, head, first, direct, isConflict, isRevisited, queued;
  uint16_t nodesSeen[4];
  Word seenSubs[6], seenValid[6];
  // Values that this thread has seen or written, which it may not see older ones than.
  uint8_t least[2];
  Buffered buffer[10];
};
struct State { Word memory[cellCount]; Thread threads[maxThreads]; };

enum Result { Ran, Blocked, Done };
static const char *violation;

static Word truth(const State &s, int node) {
  if (isSource(node)) return valueOf(s.memory[cell(node, Rec)]);
  Word value = 0;
  int shift = 0;
  size_t count = readCount(node, truth(s, depsOf(node)[0]));
  for (size_t i = 0; i < count; i++) { value |= truth(s, depsOf(node)[i]) << shift; shift += isSource(depsOf(node)[i]) ? 4 : 8; }
  return value;
}
// The values of x and of y in a value; 0 where it has none. False: it holds two values of one source.
static bool parts(int node, Word value, int out[2]) {
  if (isSource(node)) {
    int v = int(value & 15);
    if (!v) return true;
    if (out[node] && out[node] != v) return false;
    out[node] = v;
    return true;
  }
  int shift = 0;
  for (int dep : depsOf(node)) {
    if (!parts(dep, value >> shift & (isSource(dep) ? 15 : 255), out)) return false;
    shift += isSource(dep) ? 4 : 8;
  }
  return true;
}

// Whether `value` of F has an older part than `other`. In scenarios with handlers the values of a source grow.
static bool isOlder(Word value, Word other) {
  int one[2] = {0, 0}, two[2] = {0, 0};
  if (!parts(F, value, one) || !parts(F, other, two)) return true;
  return (one[0] && one[0] < two[0]) || (one[1] && one[1] < two[1]);
}

struct Machine {
  State &s;
  int id, count;
  Thread &t;
  Machine(State &s, int id, int count) : s(s), id(id), count(count), t(s.threads[id]) {}

  Word load(int c) {
    for (int i = t.buffered - 1; i >= 0; i--) if (t.buffer[i].cell == c) return t.buffer[i].value;
    return s.memory[c];
  }
  void store(int c, Word value) {
    if (t.buffered == 10) { fprintf(stderr, "buffer full\n"); exit(2); }
    t.buffer[t.buffered++] = {uint8_t(c), value};
  }
  static void flush(State &s, int id) {
    Thread &t = s.threads[id];
    s.memory[t.buffer[0].cell] = t.buffer[0].value;
    t.buffered--;
    memmove(&t.buffer[0], &t.buffer[1], sizeof(Buffered) * t.buffered);
    t.buffer[t.buffered] = {};
  }
  Result bad(const char *text) { violation = text; return Ran; }
  bool isActive(Word m) {
    // One load of the other's pin: the caller has yielded.
    if (!m) return false;
    if ((m >> 8 & 15) == several) return true;
    Word pin = load(Pin0 + int(threadOf(m)));
    return pin && epochOf(pin) == epochOf(m) && (eraOf(pin) == eraOf(m) || fault == markOfAnyEra);
  }
  void enter(int node, int from) { t.ret[++t.sp] = uint16_t(from); t.arg[t.sp] = uint8_t(node); }
  Word myMark() { return mark(t.snapshot, id, (t.pins - 1) / scenario->pinsInEra); }

// A step ends before the access that follows. A plain store is no step of its own: others see only that it leaves the buffer.
#define LABEL(n) do { t.pc = n; t.line = __LINE__; return Ran; case n:; } while (0)
#define STEP LABEL(__COUNTER__ + 100)
#define LOAD(into, c) do { STEP; into = load(c); } while (0)
#define FENCE do { STEP; if (t.buffered) return Blocked; } while (0)
#define CALL_(n, routine, node) do { enter(node, n); t.pc = routine; goto again; case n:; } while (0)
#define CALL(routine, node) CALL_(__COUNTER__ + 100, routine, node)
#define RETURN do { t.pc = t.ret[t.sp]; t.ret[t.sp] = 0; t.arg[t.sp] = 0; t.sp--; goto again; } while (0)
#define N int(t.arg[t.sp])

  enum Routine : uint16_t { Start, DoCommit, DoVisit, DoUnlink, DoRetain, DoHandOn, DoPin, DoUnpin, DoMark, DoSource, DoBring, DoCompute, DoPublish, DoConfirm };

  Result step() {
    const Op *op;
    bool isEntered = t.pc != Start || t.op < scenario->threads[id].size();
  again:
    op = t.op < scenario->threads[id].size() ? &scenario->threads[id][t.op] : nullptr;
    switch (t.pc) {
    case Start:
      if (!op) return isEntered ? Ran : Done;
      if (op->act == commit) { CALL(DoCommit, 0); t.op++; t.pc = Start; goto again; }
      if (op->act == plainLook) {
        // A read outside of computations: it leaves no mark and takes no pin.
        LOAD(t.a, cell(F, Rec));
        if (fault == staledAtFirst) { LOAD(t.c, cell(F, Stale)); LOAD(t.b, cell(F, Valid)); }
        else { LOAD(t.b, cell(F, Valid)); LOAD(t.c, cell(F, Stale)); }
        LOAD(t.d, cell(F, Rec));
        STEP;
        if (t.b == t.c && numberOf(load(cell(F, Rec))) == numberOf(t.a)) { t.outRec = t.d; t.pc = 60; goto again; }
      }
      if (op->act == drain) {
        if (!t.queued) { t.op++; t.pc = Start; goto again; }
        t.queued = 0;
      }
      [[fallthrough]];
    case 50:  // look again
      if (op->act == drain) {
        LOAD(t.notifications, Notifications);
        LOAD(t.publications, cell(F, Publications));
      }
      CALL(DoPin, 0);
      t.k = 0;
      while (t.k < (op->act == look ? op->nodes.size() : 1)) {
        t.i = uint8_t(op->act == look ? op->nodes[t.k] : F);
        if (isSource(t.i)) CALL(DoSource, t.i); else CALL(DoBring, t.i);
        t.nodesSeen[t.k] = uint16_t(valueOf(t.outRec));
        t.k++;
      }
      CALL(DoUnpin, 0);
      [[fallthrough]];
    case 60: {
      int seen[2] = {0, 0};
      if (op->act == look) {
        for (size_t k = 0; k < op->nodes.size(); k++) if (!parts(op->nodes[k], t.nodesSeen[k], seen)) return bad("mixture of one source");
      } else if (!parts(F, valueOf(t.outRec), seen)) return bad("mixture of one source");
      if (scenario->isPaired && seen[0] && seen[1] && seen[0] != seen[1]) return bad("mixture");
      for (int i = 0; i < 2; i++) {
        if (seen[i] && seen[i] < t.least[i]) return bad("older than what the thread has seen or written");
        if (seen[i]) t.least[i] = uint8_t(seen[i]);
      }
      memset(t.nodesSeen, 0, sizeof t.nodesSeen);
    }
      if (op->act == drain) {
        // Under the publication lock: the newest version.
        STEP;
        if (t.buffered || s.memory[cell(F, Lock)]) return Blocked;
        t.d = fault == notifyOwn && !t.outPrivate ? t.outRec : s.memory[cell(F, Rec)];
        // After a private result, the version of before may have become valid again.
        if (numberOf(t.d) != s.memory[NotifiedNumber]
            || (s.memory[NotifiedPrivate] && !t.outPrivate && numberOf(t.outRec) == numberOf(t.d) && s.memory[Notifications] == t.notifications)) {
          if (isOlder(valueOf(t.d), s.memory[Notified])) return bad("handlers were notified of an older value");
          s.memory[Notified] = valueOf(t.d); s.memory[NotifiedNumber] = numberOf(t.d); s.memory[NotifiedPrivate] = 0; s.memory[Notifications]++;
        }
        if (t.outPrivate) {
          // And the private result, if nothing is newer.
          STEP;
          if (s.memory[cell(F, Lock)]) return Blocked;
          if ((s.memory[Notifications] == t.notifications && s.memory[cell(F, Publications)] == t.publications) || fault == notifyOlder) {
            if (isOlder(valueOf(t.outRec), s.memory[Notified])) return bad("handlers were notified of an older value");
            s.memory[Notified] = valueOf(t.outRec); s.memory[NotifiedNumber] = numberOf(s.memory[cell(F, Rec)]);
            s.memory[NotifiedPrivate] = 1; s.memory[Notifications]++;
          }
          if (fault != leavePrivate) { if (++t.tries > 6) return bad("no end of private results"); t.pc = 50; goto again; }
        }
      }
      if (op->act == observe) {
        if (t.outPrivate) { if (++t.tries > 6) return bad("no end of private results"); t.pc = 50; goto again; }
        STEP;
        if (t.buffered || s.memory[cell(F, Lock)]) return Blocked;
        s.memory[Notified] = valueOf(s.memory[cell(F, Rec)]); s.memory[NotifiedNumber] = numberOf(s.memory[cell(F, Rec)]);
        s.memory[Notifications]++;
        store(Watched, 1);
        if (fault != noFenceAfterWatch) FENCE;
        LOAD(t.b, cell(F, Valid));
        LOAD(t.c, cell(F, Stale));
        if (t.b != t.c && fault != noLookAfterWatch) t.queued = 1;
      }
      t.notifications = t.publications = 0;
      t.outRec = t.a = t.b = t.c = t.d = 0; t.outPrivate = t.isPrivate = t.i = t.k = t.tries = 0;
      t.op++; t.pc = Start; goto again;

    // MARK: Commit

    case DoCommit:
      t.commits++;
      t.word = Word(id + 1) << 4 | t.commits;
      store(Section0 + id, t.word);
      t.i = 0;
      while (t.i < op->nodes.size()) {
        STEP;
        if (t.buffered || s.memory[cell(op->nodes[t.i], Stale)]) return Blocked;
        s.memory[cell(op->nodes[t.i], Stale)] = t.word;
        t.i++;
      }
      t.i = 0;
      while (t.i < op->nodes.size()) { CALL(DoVisit, op->nodes[t.i]); t.i++; }
      t.direct = t.mets;
      while (true) {
        while (t.head < t.stales) {
          t.head++;
          CALL(DoVisit, t.staled[t.head - 1]);
          t.seenSubs[t.head - 1] = t.a;
        }
        if (fault != noFenceAfterInvalidation && !(fault == noFenceAfterSecondLook && t.isRevisited)) FENCE;
        t.isRevisited = 0;
        while (t.first < t.head) {
          t.first++;
          if (scenario->isObserved && t.staled[t.first - 1] == F) {
            LOAD(t.b, Watched);
            if (t.b) t.queued = 1;
          }
          if (fault != ignoreMarksOfDerived) {
            LOAD(t.b, cell(t.staled[t.first - 1], Mark));
            if (t.b && ((t.b >> 8 & 15) == several || int(threadOf(t.b)) != id)) {
              LOAD(t.c, Clock);
              STEP;
              if (epochOf(t.b) >= t.c && isActive(t.b)) t.isConflict = 1;
            }
          }
          LOAD(t.a, cell(t.staled[t.first - 1], Subs));
          if (fault != noSecondLookAtSubs && t.a != t.seenSubs[t.first - 1]) { t.isRevisited = 1; CALL(DoVisit, t.staled[t.first - 1]); t.seenSubs[t.first - 1] = t.a; }
        }
        if (t.isRevisited) continue;
        while (t.mets > 0) {
          t.mets--;
          LOAD(t.a, cell(t.met[t.mets], Valid));
          if (t.a != t.seenValid[t.mets] && fault != noSecondLookAtStale) {
            t.staled[t.stales] = t.met[t.mets]; t.seenSubs[t.stales] = 0; t.stales++;
          } else if (t.mets < t.direct) CALL(DoUnlink, t.met[t.mets]);
          t.met[t.mets] = 0; t.seenValid[t.mets] = 0;
        }
        t.direct = 0;
        if (t.head == t.stales) break;
      }
      t.i = 0;
      while (t.i < op->nodes.size()) {
        if (fault != ignoreMarksOfSources) {
          LOAD(t.b, cell(op->nodes[t.i], Mark));
          if (t.b && ((t.b >> 8 & 15) == several || int(threadOf(t.b)) != id)) {
            LOAD(t.c, Clock);
            STEP;
            if (epochOf(t.b) >= t.c && isActive(t.b)) t.isConflict = 1;
          }
        }
        t.i++;
      }
      STEP;
      if (t.isConflict && fault != noTick) {
        if (t.buffered) return Blocked;
        s.memory[Clock]++;
      }
      t.stamp = load(Clock);
      t.i = 0;
      while (t.i < op->nodes.size()) {
        LOAD(t.a, cell(op->nodes[t.i], From));
        t.b = load(cell(op->nodes[t.i], Rec));
        if (fault == retainAfterWrite) store(cell(op->nodes[t.i], Rec), rec(op->value, numberOf(t.b) + 1)), store(cell(op->nodes[t.i], From), t.stamp);
        if (t.a < t.stamp && fault != noRetain) CALL(DoRetain, op->nodes[t.i]);
        if (fault != retainAfterWrite) store(cell(op->nodes[t.i], Rec), rec(op->value, numberOf(t.b) + 1)), store(cell(op->nodes[t.i], From), t.stamp);
        t.i++;
      }
      for (int node : op->nodes) store(cell(node, Stale), 0), t.least[node] = uint8_t(std::max<int>(t.least[node], op->value));
      store(Section0 + id, 0);
      memset(t.staled, 0, sizeof t.staled); memset(t.met, 0, sizeof t.met);
      memset(t.seenSubs, 0, sizeof t.seenSubs); memset(t.seenValid, 0, sizeof t.seenValid);
      t.stales = t.mets = t.head = t.first = t.direct = t.isConflict = t.isRevisited = t.i = t.j = 0;
      t.word = t.stamp = t.a = t.b = t.c = t.d = t.version = 0;
      RETURN;

    case DoVisit:  // stores the commit's word in each dependent of N; leaves in `a` the links that it saw
      LOAD(t.a, cell(N, Subs));
      t.j = E;
      while (t.j < nodeCount) {
        if (t.a >> t.j & 1) {
          LOAD(t.b, cell(t.j, Valid));
          LOAD(t.c, cell(t.j, Stale));
          if (t.c != t.word) {
            if (t.b == t.c || fault != keepOldStaleness) store(cell(t.j, Stale), t.word);
            t.isPrivate = 0;
            if (t.b != t.c && t.c >> 4 && int(t.c >> 4) - 1 != id && fault != stopAtUnfinished) {
              STEP;
              t.isPrivate = load(Section0 + int(t.c >> 4) - 1) == t.c;
            }
            if (t.b == t.c || t.isPrivate) { t.staled[t.stales] = t.j; t.stales++; }
            else { t.met[t.mets] = t.j; t.seenValid[t.mets] = t.b; t.mets++; }
            t.isPrivate = 0;
          }
        }
        t.j++;
      }
      RETURN;

    case DoUnlink:
      STEP;
      if (t.buffered || s.memory[cell(N, Lock)]) return Blocked;
      s.memory[cell(N, Lock)] = 1;
      LOAD(t.b, cell(N, Valid));
      LOAD(t.c, cell(N, Stale));
      t.d = 0;
      if (scenario->isObserved && N == F) LOAD(t.d, Watched);
      if ((t.b != t.c || fault == unlinkValid) && (!t.d || fault == unlinkWatched)) {
        LOAD(t.a, cell(N, Deps));
        if (fault != unlinkQuietly) store(cell(N, Publications), load(cell(N, Publications)) + 1);
        store(cell(N, Deps), 0);
        t.j = 0;
        while (t.j < 3) {
          if (t.a >> t.j & 1) {
            STEP;
            if (t.buffered) return Blocked;
            s.memory[cell(t.j, Subs)] &= ~(Word(1) << N);
          }
          t.j++;
        }
      }
      store(cell(N, Lock), 0);
      RETURN;

    // MARK: Retained versions

    case DoRetain:  // N is being written: `b` is its record, `a` the epoch from which that is known, `stamp` the end
      LOAD(t.c, Settled);
      if (t.c >= t.stamp) RETURN;
      FENCE;
      t.d = 0; t.isRevisited = 1; t.j = 0;
      while (t.j < count) {
        if (t.j != id) {
          LOAD(t.c, Pin0 + t.j);
          if (t.c && epochOf(t.c) < t.stamp) {
            if (fault != settleEarly) t.isRevisited = 0;
            if (epochOf(t.c) >= t.a) t.d = 1;
          }
        }
        t.j++;
      }
      if (t.isRevisited) {
        STEP;
        if (t.buffered) return Blocked;
        s.memory[Settled] = std::max(s.memory[Settled], t.stamp);
      }
      t.isRevisited = 0;
      if (t.d) {
        t.version = Word(N) << 16 | version(valueOf(t.b), numberOf(t.b), t.a, t.stamp);
        STEP;
        if (t.buffered) return Blocked;
        s.memory[cell(N, Retained)] = s.memory[cell(N, Retained)] << 16 | (t.version & 0xFFFF);
        CALL(DoHandOn, N);
      }
      t.d = 0;
      RETURN;

    case DoHandOn:  // gives `version` to a pin that sees it, or destroys it
      FENCE;
      t.j = 0;
      while (t.j < count) {
        if (t.j != id) {
          while (true) {
            LOAD(t.c, Pin0 + t.j);
            if (!t.c || epochOf(t.c) < (t.version >> 8 & 15) || epochOf(t.c) >= (t.version >> 12 & 15)) break;
            STEP;
            if (t.buffered) return Blocked;
            if (s.memory[Pin0 + t.j] == t.c) {
              s.memory[Pin0 + t.j] |= debtBit;
              s.memory[Debts0 + t.j] = s.memory[Debts0 + t.j] << 20 | t.version | 1 << 19;
              t.version = 0;
              RETURN;
            }
          }
        }
        t.j++;
      }
      STEP;
      if (t.buffered) return Blocked;
      {
        Word left = 0, all = s.memory[cell(int(t.version >> 16 & 3), Retained)];
        bool isFound = false;
        for (int shift = 48; shift >= 0; shift -= 16) {
          Word one = all >> shift & 0xFFFF;
          if (one && one == (t.version & 0xFFFF) && !isFound) { isFound = true; continue; }
          if (one) left = left << 16 | one;
        }
        s.memory[cell(int(t.version >> 16 & 3), Retained)] = left;
        t.version = 0;
      }
      RETURN;

    // MARK: Pins and marks

    case DoPin:
      t.pins++;
      LOAD(t.a, Clock);
      store(Pin0 + id, pinWord(t.a, (t.pins - 1) / scenario->pinsInEra));
      if (fault != noFenceInPin) FENCE;
      while (fault != noSecondLookAtClock) {
        LOAD(t.b, Clock);
        if (t.b == t.a) break;
        t.a = t.b;
        STEP;
        if (t.buffered) return Blocked;
        t.b = s.memory[Pin0 + id];
        s.memory[Pin0 + id] = pinWord(t.a, (t.pins - 1) / scenario->pinsInEra);
        t.d = t.a;
        t.a = s.memory[Debts0 + id]; s.memory[Debts0 + id] = 0;
        while (t.a) { t.version = t.a & 0x7FFFF; t.a >>= 20; CALL(DoHandOn, 0); }
        t.a = t.d; t.d = 0;
      }
      t.snapshot = uint8_t(t.a);
      t.isPrivate = 0;
      t.a = t.b = t.j = 0;
      RETURN;

    case DoUnpin:
      STEP;
      if (t.buffered) return Blocked;
      s.memory[Pin0 + id] = 0;
      t.a = s.memory[Debts0 + id]; s.memory[Debts0 + id] = 0;
      while (t.a) {
        t.version = t.a & 0x7FFFF; t.a >>= 20;
        if (fault == noHandingOn) {
          STEP;
          s.memory[cell(int(t.version >> 16 & 3), Retained)] = 0; t.version = 0;
        } else CALL(DoHandOn, 0);
      }
      t.snapshot = 0; t.j = 0; t.c = 0;
      memset(t.v, 0, sizeof t.v); memset(t.p, 0, sizeof t.p); memset(t.depIndex, 0, sizeof t.depIndex);
      memset(t.mode, 0, sizeof t.mode); memset(t.reads, 0, sizeof t.reads);
      RETURN;

    case DoMark:
      if (fault == noReadMark) RETURN;
      while (true) {
        LOAD(t.a, cell(N, Mark));
        if (t.a == myMark() || t.a == severalMark(t.snapshot)) break;
        LOAD(t.b, Clock);
        if (t.b != t.snapshot) { if (fault != noFenceOfOldPin) FENCE; break; }
        t.c = myMark(); t.d = epochOf(t.a) == t.snapshot && t.a && ((t.a >> 8 & 15) == several || int(threadOf(t.a)) != id);
        STEP;
        if (t.d && fault != noSeveral && isActive(t.a)) t.c = severalMark(t.snapshot);
        STEP;
        if (t.buffered) return Blocked;
        if (s.memory[cell(N, Mark)] != t.a) continue;
        s.memory[cell(N, Mark)] = t.c;
        if (t.d && t.c == myMark() && fault != noSecondLookAfterMark && fault != noSeveral) {
          STEP;
          if (isActive(t.a)) {
            STEP;
            if (t.buffered) return Blocked;
            if (s.memory[cell(N, Mark)] == t.c) s.memory[cell(N, Mark)] = severalMark(t.snapshot);
          }
        }
        break;
      }
      t.a = t.b = t.c = t.d = 0;
      RETURN;

    case DoSource:  // the version of N at the snapshot
      CALL(DoMark, N);
      while (true) {
        LOAD(t.a, cell(N, Rec));
        STEP;
        if (load(cell(N, Stale)) && fault != readLocked) return Blocked;
        LOAD(t.b, cell(N, From));
        LOAD(t.c, cell(N, Rec));
        STEP;
        if (load(cell(N, Rec)) != t.a) continue;
        t.outPrivate = 0; t.outRec = t.c;
        if (t.b <= t.snapshot) break;
        STEP;
        t.d = load(cell(N, Retained));
        t.outPrivate = 1; t.outRec = 0;
        for (; t.d; t.d >>= 16)
          if ((t.d >> 8 & 15) <= t.snapshot && t.snapshot < (t.d >> 12 & 15)) t.outRec = rec(t.d & 15, t.d >> 4 & 15);
        if (!t.outRec) return bad("version lost");
        break;
      }
      t.a = t.b = t.c = t.d = 0;
      RETURN;

    // MARK: Validation, computation, publication

    case DoBring:  // the value of N at the snapshot, published if it can be
      CALL(DoMark, N);
      LOAD(t.a, cell(N, Rec));
      LOAD(t.p[N], cell(N, Publications));
      if (fault == staledAtFirst) { LOAD(t.v[N], cell(N, Stale)); LOAD(t.b, cell(N, Valid)); }
      else { LOAD(t.b, cell(N, Valid)); LOAD(t.v[N], cell(N, Stale)); }
      if (t.b == t.v[N]) {
        LOAD(t.c, cell(N, From));
        LOAD(t.d, cell(N, Rec));
        if (t.c <= t.snapshot || fault == ignoreFrom) {
          STEP;
          if (numberOf(load(cell(N, Rec))) != numberOf(t.a)) { t.pc = DoBring; goto again; }
          t.outRec = t.d; t.outPrivate = 0;
          t.a = t.b = t.c = t.d = 0;
          RETURN;
        }
        // Known from a later epoch on only: computed for this pin alone.
        t.mode[N] = 2;
        CALL(DoCompute, N);
        RETURN;
      }
      t.mode[N] = 0;
      LOAD(t.a, cell(N, Deps));
      if (numberOf(load(cell(N, Rec))) == 0 || (!t.a && fault != confirmUnlinked)) { t.a = 0; CALL(DoCompute, N); RETURN; }
      t.depIndex[N] = 0;
      t.reads[N - E][2] = t.a;
      while (t.depIndex[N] < depsOf(N).size()) {
        if (t.reads[N - E][2] >> depsOf(N)[t.depIndex[N]] & 1) {
          t.a = t.b = t.c = t.d = 0;
          if (isSource(depsOf(N)[t.depIndex[N]])) CALL(DoSource, depsOf(N)[t.depIndex[N]]);
          else CALL(DoBring, depsOf(N)[t.depIndex[N]]);
          LOAD(t.a, link(N, depsOf(N)[t.depIndex[N]]));
          if (t.outPrivate || numberOf(t.outRec) != t.a) { t.a = 0; CALL(DoCompute, N); RETURN; }
        }
        t.depIndex[N]++;
      }
      t.a = t.b = t.c = t.d = 0;
      CALL(DoConfirm, N);
      if (t.mode[N] == 3) { t.pc = DoBring; goto again; }
      RETURN;

    case DoConfirm:  // all dependencies are what they were
      STEP;
      if (t.buffered || s.memory[cell(N, Lock)]) return Blocked;
      s.memory[cell(N, Lock)] = 1;
      LOAD(t.a, cell(N, Publications));
      if (t.a != t.p[N] && fault != noCheckWhenConfirmed) { store(cell(N, Lock), 0); t.mode[N] = 3; t.a = 0; RETURN; }
      LOAD(t.d, cell(N, Rec));
      LOAD(t.a, cell(N, Stale));
      if (t.a == t.v[N]) {
        LOAD(t.b, cell(N, Valid));
        if (t.b != t.v[N]) { store(cell(N, From), t.snapshot); store(cell(N, Valid), t.v[N]); }
      }
      store(cell(N, Lock), 0);
      if (fault != noFenceAfterPublication) FENCE;
      t.outRec = t.d; t.outPrivate = 0;
      STEP;
      if (fault != noLastLook && load(cell(N, Stale)) != t.v[N]) t.outPrivate = 1;
      t.a = t.b = t.d = 0;
      RETURN;

    case DoCompute:
      t.depIndex[N] = 0;
      t.reads[N - E][0] = 0; t.reads[N - E][1] = 0; t.reads[N - E][2] = 0;
      if (fault == staledAtFirstInValidation) t.v[N] = 0;
      while (t.depIndex[N] < readCount(N, t.depIndex[N] ? t.reads[N - E][0] & 255 : 1)) {
        if (isSource(depsOf(N)[t.depIndex[N]])) CALL(DoSource, depsOf(N)[t.depIndex[N]]);
        else CALL(DoBring, depsOf(N)[t.depIndex[N]]);
        if (t.outPrivate && fault != publishPrivate) t.mode[N] = 2;
        t.reads[N - E][0] |= valueOf(t.outRec) << t.reads[N - E][2];
        t.reads[N - E][1] |= numberOf(t.outRec) << 8 * t.depIndex[N];
        t.reads[N - E][2] += isSource(depsOf(N)[t.depIndex[N]]) ? 4 : 8;
        t.depIndex[N]++;
      }
      if (fault == staledAtFirstInValidation) LOAD(t.v[N], cell(N, Stale));
      if (t.mode[N] == 2) { t.outRec = rec(t.reads[N - E][0], 0); t.outPrivate = 1; RETURN; }
      CALL(DoPublish, N);
      RETURN;

    case DoPublish:
      STEP;
      if (t.buffered || s.memory[cell(N, Lock)]) return Blocked;
      s.memory[cell(N, Lock)] = 1;
      LOAD(t.a, cell(N, Publications));
      LOAD(t.b, cell(N, Stale));
      LOAD(t.c, cell(N, Valid));
      if ((t.a != t.p[N] && fault != noCheckOfPublications) || (t.b != t.v[N] && fault != noCheckOfStaledAt) || t.c == t.v[N]) {
        store(cell(N, Lock), 0);
        t.outRec = rec(t.reads[N - E][0], 0); t.outPrivate = 1;
        t.a = t.b = t.c = 0;
        RETURN;
      }
      LOAD(t.d, cell(N, Rec));
      if (valueOf(t.d) != t.reads[N - E][0] || numberOf(t.d) == 0) t.d = rec(t.reads[N - E][0], numberOf(t.d) + 1), store(cell(N, Rec), t.d);
      store(cell(N, From), t.snapshot);
      t.b = load(cell(N, Deps));
      t.isRevisited = 0;
      for (size_t i = 0; i < readCount(N, t.reads[N - E][0] & 255); i++) {
        store(link(N, depsOf(N)[i]), t.reads[N - E][1] >> 8 * i & 255);
        if (!(t.b >> depsOf(N)[i] & 1)) t.isRevisited = 1;
      }
      t.depIndex[N] = 1;
      if (t.isRevisited) {
        t.depIndex[N] = 0;
        while (t.depIndex[N] < readCount(N, t.reads[N - E][0] & 255)) {
          if (!(t.b >> depsOf(N)[t.depIndex[N]] & 1)) {
            STEP;
            if (t.buffered) return Blocked;
            s.memory[cell(depsOf(N)[t.depIndex[N]], Subs)] += 256;
            s.memory[cell(depsOf(N)[t.depIndex[N]], Subs)] |= Word(1) << N;
            store(cell(N, Deps), load(cell(N, Deps)) | Word(1) << depsOf(N)[t.depIndex[N]]);
          }
          t.depIndex[N]++;
        }
        FENCE;
        t.depIndex[N] = 0; t.i = 1;
        while (t.depIndex[N] < readCount(N, t.reads[N - E][0] & 255)) {
          if (!(t.b >> depsOf(N)[t.depIndex[N]] & 1)) {
            // Validity first: a commit that has not seen the link holds the lock, or has already written.
            if (fault == numberBeforeValidity) {
              LOAD(t.c, cell(depsOf(N)[t.depIndex[N]], Rec));
              if (numberOf(t.c) != (t.reads[N - E][1] >> 8 * t.depIndex[N] & 255)) t.i = 0;
            }
            LOAD(t.c, cell(depsOf(N)[t.depIndex[N]], Valid));
            STEP;
            if (t.c != load(cell(depsOf(N)[t.depIndex[N]], Stale))) t.i = 0;
            if (fault != numberBeforeValidity) {
              LOAD(t.c, cell(depsOf(N)[t.depIndex[N]], Rec));
              if (numberOf(t.c) != (t.reads[N - E][1] >> 8 * t.depIndex[N] & 255)) t.i = 0;
            }
          }
          t.depIndex[N]++;
        }
        t.depIndex[N] = t.i || fault == noCheckOfNewLinks;
        t.i = 0;
      }
      t.isRevisited = t.depIndex[N];
      t.depIndex[N] = uint8_t(readCount(N, t.reads[N - E][0] & 255));
      while (t.depIndex[N] < depsOf(N).size()) {
        if (t.b >> depsOf(N)[t.depIndex[N]] & 1) {
          STEP;
          if (t.buffered) return Blocked;
          s.memory[cell(depsOf(N)[t.depIndex[N]], Subs)] &= ~(Word(1) << N);
          store(cell(N, Deps), load(cell(N, Deps)) & ~(Word(1) << depsOf(N)[t.depIndex[N]]));
        }
        t.depIndex[N]++;
      }
      t.depIndex[N] = t.isRevisited;
      t.isRevisited = 0;
      store(cell(N, Publications), t.p[N] + 1);
      if (t.depIndex[N]) store(cell(N, Valid), t.v[N]);
      store(cell(N, Lock), 0);
      if (fault != noFenceAfterPublication) FENCE;
      t.outRec = t.d; t.outPrivate = !t.depIndex[N];
      STEP;
      if (fault != noLastLook && load(cell(N, Stale)) != t.v[N]) t.outPrivate = 1;
      t.a = t.b = t.c = t.d = 0;
      RETURN;
    }
    fprintf(stderr, "lost at %d\n", t.pc);
    exit(2);
  }
};

static State initial() {
  State s;
  memset(&s, 0, sizeof s);
  s.memory[Clock] = 1;
  for (int node = 0; node < nodeCount; node++) {
    s.memory[cell(node, From)] = 1;
    if (isSource(node)) { s.memory[cell(node, Rec)] = rec(1, 1); continue; }
    s.memory[cell(node, Stale)] = 1;
    bool isStale = node == E ? scenario->isEStale : scenario->isFStale || scenario->isEStale;
    s.memory[cell(node, Valid)] = isStale ? 0 : 1;
    bool isLinked = node == E ? scenario->isELinked : scenario->isFLinked;
    for (int dep : depsOf(node)) {
      if (isLinked) s.memory[cell(node, Deps)] |= Word(1) << dep, s.memory[cell(dep, Subs)] |= Word(1) << node;
      s.memory[link(node, dep)] = 1;
    }
  }
  for (int node = E; node <= F; node++) s.memory[cell(node, Rec)] = rec(truth(s, node), 1);
  s.memory[Notified] = truth(s, F);
  s.memory[NotifiedNumber] = 1;
  s.memory[Watched] = scenario->isWatched;
  return s;
}
// The claims about a state in which all threads have finished.
static const char *verdict(const State &s) {
  for (int node = E; node <= F; node++) {
    bool isValid = s.memory[cell(node, Valid)] == s.memory[cell(node, Stale)];
    if (isValid && valueOf(s.memory[cell(node, Rec)]) != truth(s, node)) return "stale for good";
    if (!isValid) continue;
    for (size_t i = 0; i < readCount(node, truth(s, depsOf(node)[0])); i++) {
      int dep = depsOf(node)[i];
      if (!isSource(dep) && s.memory[cell(dep, Valid)] != s.memory[cell(dep, Stale)]) return "valid over stale";
      if (!(s.memory[cell(dep, Subs)] >> node & 1)) return "valid without a link";
    }
  }
  if (s.memory[Watched] && s.memory[Notified] != truth(s, F)) return "handlers were not notified of the last value";
  if (s.memory[cell(X, Retained)] || s.memory[cell(Y, Retained)]) return "a retained version was not destroyed";
  return nullptr;
}

// MARK: The search

struct Seen {
  std::vector<uint64_t> slots = std::vector<uint64_t>(1 << 16);
  size_t count = 0;
  bool insert(uint64_t h) {
    if (!h) h = 1;
    if ((count + 1) * 10 > slots.size() * 7) {
      std::vector<uint64_t> old(slots.size() * 2);
      old.swap(slots);
      for (uint64_t x : old) if (x) put(x);
    }
    return put(h) && ++count;
  }
  bool put(uint64_t h) {
    for (size_t i = h & (slots.size() - 1);; i = (i + 1) & (slots.size() - 1)) {
      if (slots[i] == h) return false;
      if (!slots[i]) { slots[i] = h; return true; }
    }
  }
};
static uint64_t hashOf(const State &s, int threads) {
  uint64_t h = 0x9E3779B97F4A7C15;
  auto mix = [&](const void *data, size_t size) {
    const char *p = (const char *)data;
    for (; size >= 8; p += 8, size -= 8) {
      uint64_t x;
      memcpy(&x, p, 8);
      h = (std::rotl(h, 5) ^ x) * 0xD6E8FEB86659FD93;
      h ^= h >> 32;
    }
    if (size) { uint64_t x = 0; memcpy(&x, p, size); h = (std::rotl(h, 5) ^ x) * 0xD6E8FEB86659FD93; h ^= h >> 32; }
  };
  mix(s.memory, sizeof s.memory);
  for (int i = 0; i < threads; i++) {
    // The line is for reports only.
    Thread t = s.threads[i];
    t.line = 0;
    mix(&t, sizeof t);
  }
  return h;
}
struct Outcome { size_t states, ends; std::string violation; bool isComplete; double seconds; };

static Outcome search(const Scenario &which, size_t limit, bool isTraced) {
  scenario = &which;
  int count = int(which.threads.size());
  auto start = std::chrono::steady_clock::now();
  struct Frame { State state; int next; int thread, line; bool moved; };
  std::vector<Frame> path;
  Seen seen;
  size_t ends = 0;
  std::string found;
  bool isComplete = true;
  auto report = [&](const char *text) {
    found = text;
    if (!isTraced) return;
    for (size_t i = 1; i < path.size(); i++)
      printf("  thread %d %s %d\n", path[i].thread, path[i].line ? "line" : "flushes its oldest store", path[i].line);
    printf("  %s\n", text);
  };
  State first = initial();
  seen.insert(hashOf(first, count));
  path.push_back({first, 0, 0, 0, false});
  while (!path.empty() && found.empty()) {
    Frame &top = path.back();
    if (top.next == 2 * count) {
      if (!top.moved) {
        bool isDone = true;
        for (int i = 0; i < count; i++) isDone &= top.state.threads[i].op >= which.threads[i].size();
        ends++;
        const char *text = isDone ? verdict(top.state) : "deadlock";
        if (text) { report(text); break; }
      }
      path.pop_back();
      continue;
    }
    int choice = top.next++, id = choice / 2;
    State next = top.state;
    int line = 0;
    if (choice % 2) {
      if (!next.threads[id].buffered) continue;
      Machine::flush(next, id);
    } else {
      line = next.threads[id].line;
      violation = nullptr;
      Result result = Machine(next, id, count).step();
      if (result != Ran) continue;
    }
    top.moved = true;
    bool isNew = seen.insert(hashOf(next, count));
    if (violation) { path.push_back({next, 0, id, line, false}); report(violation); break; }
    if (!isNew) continue;
    if (seen.count > limit) { isComplete = false; break; }
    path.push_back({next, 0, id, line, false});
  }
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return {seen.count, ends, found, isComplete, took.count()};
}

static std::vector<Scenario> scenarios();
int main(int argc, char **argv) {
  size_t limit = 20'000'000, limitOfFaults = 3'000'000;
  std::string only, planted;
  bool isTraced = false, isPlanting = false, isVarying = false;
  for (int i = 1; i < argc; i++) {
    std::string a = argv[i];
    if (a == "--limit") limit = strtoull(argv[++i], nullptr, 10);
    else if (a == "--fault-limit") limitOfFaults = strtoull(argv[++i], nullptr, 10);
    else if (a == "--only") only = argv[++i];
    else if (a == "--fault") planted = argv[++i], isPlanting = true;
    else if (a == "--faults") isPlanting = true;
    else if (a == "--variants") isVarying = true;
    else if (a == "--trace") isTraced = true;
    else { fprintf(stderr, "usage: model [--only WORD] [--limit STATES] [--faults | --fault NAME | --variants] [--fault-limit STATES] [--trace]\n"); return 2; }
  }
  auto all = scenarios();
  int failures = 0;
  if (!isPlanting && !isVarying) {
    for (auto &one : all) {
      if (one.name.find(only) == std::string::npos) continue;
      Outcome o = search(one, limit, isTraced);
      printf("%-44s %10zu states %6zu ends %6.1f s  %s%s\n", one.name.c_str(), o.states, o.ends, o.seconds,
             o.violation.empty() ? "ok" : o.violation.c_str(), o.isComplete ? "" : " (cut)");
      fflush(stdout);
      failures += !o.violation.empty();
    }
    return failures ? 1 : 0;
  }
  for (auto &row : isVarying ? variants : faults) {
    if (!planted.empty() && planted != row.name) continue;
    fault = row.fault;
    std::string text, by;
    int cut = 0;
    for (auto &one : all) {
      if (!text.empty() || one.name.find(only) == std::string::npos) continue;
      Outcome o = search(one, limitOfFaults, isTraced);
      cut += !o.isComplete;
      if (!o.violation.empty()) text = o.violation, by = one.name;
    }
    if (text.empty()) printf("%-26s in no scenario; %d cut\n", row.name, cut);
    else printf("%-26s \"%s\" by %s\n", row.name, text.c_str(), by.c_str());
    fflush(stdout);
    failures += isVarying != text.empty();
  }
  return failures ? 1 : 0;
}

// MARK: The scenarios

static Op set(std::vector<int> nodes, int value) { return {commit, nodes, value}; }
static Op read(std::vector<int> nodes) { return {look, nodes}; }
static Op plain() { return {plainLook, {F}}; }
static Op notify() { return {drain, {F}}; }
static Op firstHandler() { return {observe, {F}}; }

static std::vector<Scenario> scenarios() {
  std::vector<Scenario> all;
  auto add = [&](std::string name, std::vector<std::vector<Op>> threads) -> Scenario & {
    all.push_back({name, threads});
    return all.back();
  };
  auto paired = [&](std::string name, std::vector<std::vector<Op>> threads) -> Scenario & {
    Scenario &one = add(name, threads);
    one.isPaired = true;
    return one;
  };
  // Two threads, everything valid at first; E reads x, F reads E and y.
  paired("set xy | read F", {{set({X, Y}, 2)}, {read({F})}});
  paired("set xy, read F | read F", {{set({X, Y}, 2), read({F})}, {read({F})}});
  paired("read F, set xy | read F, read F", {{read({F}), set({X, Y}, 2)}, {read({F}), read({F})}});
  paired("set xy, set xy | read F", {{set({X, Y}, 2), set({X, Y}, 3)}, {read({F})}});
  paired("set xy | plain F, plain F", {{set({X, Y}, 2)}, {plain(), plain()}});
  add("set x, read F | set y, read F", {{set({X}, 2), read({F})}, {set({Y}, 2), read({F})}});
  add("set x, set x, read F | read F", {{set({X}, 2), set({X}, 3), read({F})}, {read({F})}});
  add("set x, plain F | set y, plain F", {{set({X}, 2), plain()}, {set({Y}, 2), plain()}});
  // Reads of several values at one snapshot, by a computation that is not published.
  paired("set xy | read x and y", {{set({X, Y}, 2)}, {read({X, Y})}});
  paired("set xy | read F and x", {{set({X, Y}, 2)}, {read({F, X})}});
  paired("set xy, set xy | read y and F", {{set({X, Y}, 2), set({X, Y}, 3)}, {read({Y, F})}});
  // A mark that is replaced while its thread pins again in the same generation, and in another.
  paired("read xy, read xy | read xy, set xy", {{read({X, Y}), read({X, Y})}, {read({X, Y}), set({X, Y}, 2)}});
  paired("the same, a generation a pin", {{read({X, Y}), read({X, Y})}, {read({X, Y}), set({X, Y}, 2)}}).pinsInEra = 1;
  paired("read x, read xy | read x, set xy", {{read({X}), read({X, Y})}, {read({X}), set({X, Y}, 2)}});
  // Stale at first.
  for (int depth = 0; depth < 2; depth++) {
    std::string what = depth ? "E and F stale: " : "F stale: ";
    auto stale = [&](Scenario &one) { one.isFStale = true; one.isEStale = depth; };
    stale(paired(what + "set xy | read F", {{set({X, Y}, 2)}, {read({F})}}));
    stale(paired(what + "set xy, read F | read F", {{set({X, Y}, 2), read({F})}, {read({F})}}));
    stale(paired(what + "set xy, set xy | read F", {{set({X, Y}, 2), set({X, Y}, 3)}, {read({F})}}));
    stale(add(what + "set x, read F | set y, read F", {{set({X}, 2), read({F})}, {set({Y}, 2), read({F})}}));
    stale(add(what + "set x, plain F | read F", {{set({X}, 2), plain()}, {read({F})}}));
  }
  // Two commits meet in E, and F is above it: "still following".
  auto meeting = [&](Scenario &one) { one.depsOfE = {X, Y}; one.depsOfF = {E}; };
  meeting(add("E(x,y) F(E): set x, read F | set y, read F", {{set({X}, 2), read({F})}, {set({Y}, 2), read({F})}}));
  meeting(add("E(x,y) F(E): set x, read F | set y, plain F", {{set({X}, 2), read({F})}, {set({Y}, 2), plain()}}));
  { Scenario &one = add("E(x,y) F(E) stale: set x, read F | set y, read F", {{set({X}, 2), read({F})}, {set({Y}, 2), read({F})}});
    meeting(one); one.isEStale = true; }
  // One source by two ways.
  auto twice = [&](Scenario &one) { one.depsOfE = {X}; one.depsOfF = {X, E}; };
  twice(add("E(x) F(x,E): set x, read F | read F, read F", {{set({X}, 2), read({F})}, {read({F}), read({F})}}));
  twice(add("E(x) F(x,E): set x, set x | read F, plain F", {{set({X}, 2), set({X}, 3)}, {read({F}), plain()}}));
  // Links that only the publication makes.
  auto unlinked = [&](Scenario &one) { one.isFLinked = false; one.isFStale = true; };
  unlinked(add("F not linked: set x, read F | read F", {{set({X}, 2), read({F})}, {read({F})}}));
  unlinked(paired("F not linked: set xy, read F | read F, read F", {{set({X, Y}, 2), read({F})}, {read({F}), read({F})}}));
  unlinked(add("F not linked: set y, plain F | read F", {{set({Y}, 2), plain()}, {read({F})}}));
  { Scenario &one = add("E, F not linked: set x, read F | read F", {{set({X}, 2), read({F})}, {read({F})}});
    unlinked(one); one.isELinked = false; one.isEStale = true; }
  // Unlinking: commits that find a dependent stale, beside threads that validate it, compute it and link it again.
  auto stale = [&](Scenario &one) { one.isFStale = true; };
  stale(add("unlink F: set y, set y, read F | read F", {{set({Y}, 2), set({Y}, 3), read({F})}, {read({F})}}));
  stale(add("unlink F: set y, read F | set x, read F", {{set({Y}, 2), read({F})}, {set({X}, 2), read({F})}}));
  stale(add("unlink F: set y | read F, read F", {{set({Y}, 2)}, {read({F}), read({F})}}));
  { Scenario &one = add("unlink E: set x, set x, read F | read F", {{set({X}, 2), set({X}, 3), read({F})}, {read({F})}});
    one.isEStale = true; }
  { Scenario &one = paired("unlink E and F: set xy, set xy | read F", {{set({X, Y}, 2), set({X, Y}, 3)}, {read({F})}});
    one.isEStale = true; }
  // F stops reading y: it is published while a commit of y is about to unlink it.
  auto choosing = [&](Scenario &one) { one.isChoosing = true; one.isFStale = true; };
  choosing(add("choosing: set x, read F, set x | set y, read F", {{set({X}, 2), read({F}), set({X}, 3)}, {set({Y}, 2), read({F})}}));
  choosing(add("choosing: set x, read F, set x, plain F | set y", {{set({X}, 2), read({F}), set({X}, 3), plain()}, {set({Y}, 2)}}));
  // A link that a commit finds at its second look, and whose node was marked in an earlier pin.
  { Scenario &one = add("E(x) F(E) not linked: set x | read F, read F and x", {{set({X}, 2)}, {read({F}), read({F, X})}});
    one.depsOfF = {E}; unlinked(one); }
  // Notification.
  auto watched = [&](Scenario &one) { one.isWatched = one.isObserved = true; };
  watched(add("watched: set x, notify | set y, notify", {{set({X}, 2), notify()}, {set({Y}, 2), notify()}}));
  watched(add("watched: set x, notify | read F, set y, notify", {{set({X}, 2), notify()}, {read({F}), set({Y}, 2), notify()}}));
  watched(add("watched: set x, notify, set x, notify | read F", {{set({X}, 2), notify(), set({X}, 3), notify()}, {read({F})}}));
  watched(add("watched: set x, notify | set y, set y, notify", {{set({X}, 2), notify()}, {set({Y}, 2), set({Y}, 3), notify()}}));
  { Scenario &one = add("watched: E(x,y) F(E): set x, notify | set y, notify", {{set({X}, 2), notify()}, {set({Y}, 2), notify()}});
    watched(one); meeting(one); }
  // The first handler, which a commit may miss.
  auto observed = [&](Scenario &one) { one.isObserved = true; };
  observed(add("first handler: observe F, notify | set x, notify", {{firstHandler(), notify()}, {set({X}, 2), notify()}}));
  observed(add("first handler: observe F, notify | set x, notify, set x, notify",
    {{firstHandler(), notify()}, {set({X}, 2), notify(), set({X}, 3), notify()}}));
  observed(add("first handler: observe F, set y, notify | set x, notify", {{firstHandler(), set({Y}, 2), notify()}, {set({X}, 2), notify()}}));
  for (int depth = 0; depth < 2; depth++) {
    Scenario &one = add(depth ? "first handler: E and F stale" : "first handler: F stale", {{firstHandler(), notify()}, {set({X}, 2), notify()}});
    observed(one); one.isFStale = true; one.isEStale = depth;
  }
  // Three threads.
  paired("three: set xy | read xy | read xy", {{set({X, Y}, 2)}, {read({X, Y})}, {read({X, Y})}});
  paired("three: set xy | set xy | read xy", {{set({X, Y}, 2)}, {set({X, Y}, 3)}, {read({X, Y})}}).depsOfF = {E, Y};
  paired("three: set xy | read F | read F", {{set({X, Y}, 2)}, {read({F})}, {read({F})}});
  paired("three: set xy, set xy | read xy | read xy", {{set({X, Y}, 2), set({X, Y}, 3)}, {read({X, Y})}, {read({X, Y})}});
  add("three: set x | set y | read F, plain F", {{set({X}, 2)}, {set({Y}, 2)}, {read({F}), plain()}});
  meeting(add("three: E(x,y) F(E): set x | set y | read F, plain F", {{set({X}, 2)}, {set({Y}, 2)}, {read({F}), plain()}}));
  meeting(add("three: E(x,y) F(E): set x, read F | set y | read F", {{set({X}, 2), read({F})}, {set({Y}, 2)}, {read({F})}}));
  { Scenario &one = add("three: unlink F: set y | set y, read F | read F", {{set({Y}, 2)}, {set({Y}, 3)}, {read({F})}});
    one.isFStale = true; }
  unlinked(add("three: F not linked: set x | plain F | read F", {{set({X}, 2)}, {plain()}, {read({F})}}));
  watched(add("three: watched: set x, notify | set y, notify | read F", {{set({X}, 2), notify()}, {set({Y}, 2), notify()}, {read({F})}}));
  observed(add("three: first handler: observe F, notify | set x, notify | read F", {{firstHandler(), notify()}, {set({X}, 2), notify()}, {read({F})}}));
  return all;
}
