/*
 * ns-3's TCP and queues less choices of their own, one by one, to see whether they are the whole
 * difference. The input's line `mended` names those that are taken away, or says `all`; ns-3's own
 * code runs but for what is named here:
 *
 *   threshold  ssthresh is half of FlightSize (RFC 5681, equation 4; what limited transmit sent left
 *              out), and not half of RFC 6675's pipe; a packet that is lost again does not lower it
 *              again (section 3.1)
 *   growth     by bytes acknowledged (RFC 3465), fractions kept, by one rule per ACK, and by the ACK
 *              that ends a timeout's repetitions, too
 *   unfilled   a window that is not filled does not grow (RFC 7661; this is Weir's and Linux's)
 *   guesses    no SACK: duplicates inflate the window (RFC 5681, section 3.2; RFC 6582), and are not
 *              taken for segments that have come
 *   recover    no SACK: duplicates begin a recovery only above `recover` (RFC 6582, section 3.2,
 *              step 2)
 *   full-ack   the ACK that ends a recovery leaves min(ssthresh, FlightSize + SMSS) (RFC 6582, step
 *              3, option 1) and does not grow the window
 *   backoff    a timer that has been backed off stays so until a packet that was sent once is
 *              acknowledged (RFC 6298, note on 5.7)
 *   samples    every ACK of new data tells the round trip of the packet that drew it, if that was
 *              sent once, from the time it has left the host, as with timestamps (RFC 7323); the
 *              first is that of a full packet on the empty network
 *   ended      what still comes of a flow that has ended is not answered, as in Weir
 *   short      a window is a number of packets, and a short one is one of them (Linux)
 *   sack-size  an ACK is as long with SACK as without, and has one block, as in Weir
 *   partial    SACK: a partial ACK repeats nothing of itself, and restarts the timer as any (RFC
 *              6298, 5.3)
 *   pipe       SACK: a packet that was repeated and then reported is in the network no more (RFC
 *              6675, SetPipe)
 *   next-seg   SACK: a recovery begins with the first packet that is missing (RFC 6675, section 5,
 *              step 4.3), repeats nothing above the highest SACK but by the rescue retransmission
 *              (NextSeg, rules 3 and 4), and begins if the first that is missing is lost (step 2),
 *              at once if the ACK that ends another says so (Linux)
 *   dctcp      RFC 8257: alpha before the cut, growth after it, losses as TCP's, at least two
 *              segments
 *   queue      a queue has bytes, the packet that is being sent counts, and one that has been sent
 *              in this very picosecond does not; marks by the same count
 *   ties       what comes to a node in one picosecond comes in the order of its links, and after what
 *              leaves it
 */
#pragma once
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

inline std::set<std::string>&
AllMends()
{
    static std::set<std::string> names;
    return names;
}

inline void
SetMends(const std::string& words)
{
    std::istringstream list(words);
    for (std::string name; std::getline(list, name, ',');)
    {
        if (name != "none")
        {
            AllMends().insert(name);
        }
    }
}

inline bool
HasMends()
{
    return !AllMends().empty();
}

inline bool
Mends(const char* name)
{
    return AllMends().count("all") > 0 || AllMends().count(name) > 0;
}

// ---- The window -----------------------------------------------------------------------------

/** What ns-3's whole bytes leave out, and what the socket says of the ACK that is being read. */
struct RfcWindow
{
    double exact = 0;
    double exactThreshold = 0;
    uint32_t acked = 0;
    /** FlightSize, for ssthresh. */
    double flight = 0;
    /** In the network, what this ACK acknowledges left out. */
    uint32_t pipe = 0;
    /** This ACK grows nothing. */
    bool isMute = false;

    double Threshold(Ptr<const TcpSocketState> state)
    {
        if (uint32_t(exactThreshold) != state->m_ssThresh)
        {
            exactThreshold = state->m_ssThresh;
        }
        return exactThreshold;
    }

    double Cwnd(Ptr<const TcpSocketState> state)
    {
        if (uint32_t(exact) != state->m_cWnd)
        {
            const bool isThreshold = state->m_cWnd == state->m_ssThresh;
            exact = isThreshold ? Threshold(state) : double(state->m_cWnd);
        }
        return exact;
    }

    void SetCwnd(Ptr<TcpSocketState> state, double bytes)
    {
        exact = bytes;
        state->m_cWnd = uint32_t(bytes);
    }

    void SetThreshold(Ptr<TcpSocketState> state, double bytes)
    {
        exactThreshold = bytes;
        state->m_ssThresh = uint32_t(bytes);
    }

    void Grow(Ptr<TcpSocketState> state)
    {
        const double window = Cwnd(state);
        const double segment = state->m_segmentSize;
        const double filled = pipe + acked;
        if (window < Threshold(state))
        {
            if (!Mends("unfilled") || window < 2 * filled)
            {
                SetCwnd(state, window + std::min<double>(acked, segment));
            }
        }
        else if (!Mends("unfilled") || filled + 2 * segment > window)
        {
            SetCwnd(state, window + segment * acked / window);
        }
    }
};

template <class Base>
class RfcOps : public Base, public RfcWindow
{
  public:
    void IncreaseWindow(Ptr<TcpSocketState> state, uint32_t segments) override
    {
        if (isMute)
        {
            return;
        }
        if (Mends("growth"))
        {
            Grow(state);
        }
        else
        {
            Base::IncreaseWindow(state, segments);
        }
    }

  protected:
    uint32_t HalfFlight(Ptr<const TcpSocketState> state)
    {
        exactThreshold = std::max<double>(2 * state->m_segmentSize, flight / 2);
        return uint32_t(exactThreshold);
    }
};

class RfcReno : public RfcOps<TcpNewReno>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("RfcReno").SetParent<TcpNewReno>().AddConstructor<RfcReno>();
        return id;
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> state, uint32_t inFlight) override
    {
        return Mends("threshold") ? HalfFlight(state) : TcpNewReno::GetSsThresh(state, inFlight);
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<RfcReno>(this);
    }
};

/** The receiver's half is ns-3's; the sender's is `RfcSocket::OnEcho`. */
class RfcDctcp : public RfcOps<TcpDctcp>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("RfcDctcp").SetParent<TcpDctcp>().AddConstructor<RfcDctcp>();
        return id;
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> state, uint32_t inFlight) override
    {
        return Mends("dctcp") ? HalfFlight(state) : TcpDctcp::GetSsThresh(state, inFlight);
    }

    void PktsAcked(Ptr<TcpSocketState> state, uint32_t segments, const Time& rtt) override
    {
        if (!Mends("dctcp"))
        {
            TcpDctcp::PktsAcked(state, segments, rtt);
        }
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<RfcDctcp>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(RfcReno);
NS_OBJECT_ENSURE_REGISTERED(RfcDctcp);

// ---- What rides on a packet and takes no room on the wire --------------------------------------

template <char KIND>
class PairTag : public Tag
{
  public:
    uint64_t first = 0;
    uint64_t second = 0;

    PairTag() = default;

    PairTag(uint64_t a, uint64_t b)
        : first(a),
          second(b)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId id = TypeId(std::string("PairTag") + KIND)
                               .SetParent<Tag>()
                               .template AddConstructor<PairTag<KIND>>();
        return id;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 16;
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU64(first);
        buffer.WriteU64(second);
    }

    void Deserialize(TagBuffer buffer) override
    {
        first = buffer.ReadU64();
        second = buffer.ReadU64();
    }

    void Print(std::ostream& out) const override
    {
        out << KIND << first << "-" << second;
    }
};

/** The block of a SACK. */
using SackTag = PairTag<'s'>;
/** When this packet, or the one that drew this ACK, had left its host; none if it was repeated. */
using LeftTag = PairTag<'l'>;
/** A repeated packet. */
using AgainTag = PairTag<'a'>;

// ---- The socket -----------------------------------------------------------------------------

class RfcSocket : public TcpSocketBase
{
  public:
    RfcSocket() = default;

    RfcSocket(const RfcSocket& other)
        : TcpSocketBase(other)
    {
    }

    /** On the empty network. */
    void SetFirstRoundTrip(double ps)
    {
        m_srtt = ps;
        m_rttvar = ps / 2;
    }

    Ptr<TcpSocketBase> Fork() override
    {
        return CopyObject<RfcSocket>(this);
    }

    void Deafen()
    {
        m_isDeaf = true;
    }

  protected:
    void DoForwardUp(Ptr<Packet> packet, const Address& from, const Address& to) override
    {
        LeftTag left;
        m_hasLeft = packet->PeekPacketTag(left);
        m_left = left.first;
        TcpSocketBase::DoForwardUp(packet, from, to);
    }

    void EstimateRtt(const TcpHeader& header) override
    {
        if (!Mends("samples"))
        {
            TcpSocketBase::EstimateRtt(header);
            return;
        }
        m_history.clear();
        if (m_hasLeft && header.GetAckNumber() > m_txBuffer->HeadSequence())
        {
            const double ps = Simulator::Now().GetPicoSeconds() - m_left;
            m_rttvar += (std::abs(m_srtt - ps) - m_rttvar) / 4;
            m_srtt += (ps - m_srtt) / 8;
            m_rto = Rto();
        }
    }

    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override
    {
        TcpHeader heard = header;
        SackTag tag;
        if (packet->RemovePacketTag(tag))
        {
            Ptr<TcpOptionSack> option = CreateObject<TcpOptionSack>();
            option->AddSackBlock({SequenceNumber32(tag.first), SequenceNumber32(tag.second)});
            heard.AppendOption(option);
        }
        m_hasEcho = (header.GetFlags() & TcpHeader::ECE) != 0;
        if (Mends("dctcp"))
        {
            heard.SetFlags(header.GetFlags() & ~TcpHeader::ECE);
        }
        Report(heard);
        if (Mends("guesses") && !m_sackEnabled &&
            header.GetAckNumber() > m_txBuffer->HeadSequence())
        {
            m_txBuffer->ResetRenoSack(); // Or the new head is taken for lost.
        }
        TcpSocketBase::ReceivedAck(packet, heard);
        SendByScoreboard();
    }

    void ProcessAck(const SequenceNumber32& ack,
                    bool isUpdated,
                    uint32_t delivered,
                    const SequenceNumber32& oldHead) override
    {
        if (ack == oldHead && ack == m_tcb->m_highTxMark)
        {
            TcpSocketBase::ProcessAck(ack, isUpdated, delivered, oldHead);
            return;
        }
        RfcWindow& window = Window_();
        const bool wasRecovering = IsRecovering();
        const bool isDuplicate = m_sackEnabled ? isUpdated : ack == oldHead;
        const uint32_t acked = ack - oldHead;
        const bool isFull = wasRecovering && acked > 0 && ack >= m_recover;
        window.acked = acked;
        window.pipe = BytesInFlight();
        window.flight = FlightSize();
        const bool hasCut = Mends("dctcp") && m_congestionControl->GetName() == "TcpDctcp" &&
                            OnEcho(ack, acked);
        window.isMute = hasCut || (isFull && Mends("full-ack"));

        // RFC 6582, section 3.2, step 2.
        const bool isBarred = Mends("recover") && !m_sackEnabled && isDuplicate &&
                              !wasRecovering && m_hasRecover && ack <= m_lastRecover;
        const SequenceNumber32 recover = m_recover;
        const bool isActive = m_recoverActive;
        if (isBarred)
        {
            m_recover = ack + 1;
            m_recoverActive = true;
        }
        m_isBeginning = m_sackEnabled && Mends("next-seg") && !wasRecovering;
        m_repeatsLeft = !m_sackEnabled || !Mends("partial") ? MANY : wasRecovering ? 0 : 1;
        TcpSocketBase::ProcessAck(ack, isUpdated, delivered, oldHead);
        m_repeatsLeft = MANY;
        m_isBeginning = false;
        window.isMute = false;
        if (isBarred)
        {
            m_recover = recover;
            m_recoverActive = isActive;
        }
        if (acked > 0)
        {
            m_timeouts = 0;
        }
        Inflate(wasRecovering, acked, isDuplicate);
        if (isFull && !IsRecovering() && Mends("full-ack"))
        {
            Deflate();
        }
        BeginIfLost(ack, delivered);
        const bool isEarly = m_tcb->m_congState == TcpSocketState::CA_DISORDER &&
                             m_dupAckCount < m_retxThresh;
        if (Mends("guesses") && !m_sackEnabled && !isEarly)
        {
            m_txBuffer->ResetRenoSack();
        }
    }

    uint32_t AvailableWindow() const override
    {
        uint32_t available = TcpSocketBase::AvailableWindow();
        const uint32_t segment = m_tcb->m_segmentSize;
        if (Mends("guesses") && !m_sackEnabled)
        {
            const double window = IsRecovering() ? m_inflated : Window_().Cwnd(m_tcb);
            const uint32_t whole = std::max(segment, uint32_t(window));
            const uint32_t flight = BytesInFlight();
            available = whole > flight ? whole - flight : 0;
        }
        if (m_sackEnabled && Mends("next-seg") && IsRecovering() && !m_isOurTurn)
        {
            return 0;
        }
        if (Mends("short"))
        {
            const uint32_t flight = BytesInFlight();
            const uint32_t packets = (available + flight) / segment;
            const uint32_t whole = std::max(1u, packets) * segment;
            available = whole > flight ? (whole - flight + segment - 1) / segment * segment : 0;
        }
        return available;
    }

    uint32_t BytesInFlight() const override
    {
        const uint32_t bytes = TcpSocketBase::BytesInFlight();
        return m_sackEnabled && Mends("pipe") ? Pipe() : bytes;
    }

    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t size, bool withAck) override
    {
        if (m_repeatsLeft == 0)
        {
            return size;
        }
        m_repeatsLeft--;
        if (m_isBeginning)
        {
            m_isBeginning = false;
            seq = m_txBuffer->HeadSequence();
        }
        m_isAgain = seq < m_tcb->m_highTxMark;
        if (m_isAgain)
        {
            m_repeatedUpTo = seq + SizeAt(seq);
        }
        if (!m_hasSent && Mends("samples"))
        {
            m_rto = Rto();
        }
        m_hasSent = true;
        Tag_();
        return TcpSocketBase::SendDataPacket(seq, size, withAck);
    }

    void NewAck(const SequenceNumber32& ack, bool restarts) override
    {
        const Time before = m_rto;
        const bool always = m_sackEnabled && Mends("partial");
        TcpSocketBase::NewAck(ack, restarts || always);
        const Time rto = Mends("backoff") ? before : Mends("samples") ? Rto() : m_rto.Get();
        if (m_rto != rto)
        {
            m_rto = rto;
            if (m_retxEvent.IsRunning() && (restarts || always))
            {
                m_retxEvent.Cancel();
                m_retxEvent = Simulator::Schedule(rto, &RfcSocket::ReTxTimeout, this);
            }
        }
    }

    void ReTxTimeout() override
    {
        RfcWindow& window = Window_();
        window.flight = FlightSize();
        const double threshold = window.Threshold(m_tcb);
        const Time rto = m_rto;
        TcpSocketBase::ReTxTimeout();
        if (m_rto == rto)
        {
            return; // Nothing was waiting.
        }
        if (m_timeouts++ > 0 && Mends("threshold"))
        {
            window.SetThreshold(m_tcb, threshold);
        }
        m_lastRecover = m_recover;
        m_hasRecover = true;
    }

    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override
    {
        m_drawnBy = header.GetSequenceNumber();
        m_hasDrawnLeft = m_hasLeft;
        m_drawnLeft = m_left;
        TcpSocketBase::ReceivedData(packet, header);
    }

    void SendEmptyPacket(uint8_t flags) override
    {
        if (m_isDeaf)
        {
            return;
        }
        Tag_();
        const bool isSack = m_sackEnabled;
        m_tellsByTag = isSack && Mends("sack-size") && !(flags & TcpHeader::SYN);
        m_sackEnabled = isSack && !m_tellsByTag;
        TcpSocketBase::SendEmptyPacket(flags);
        m_sackEnabled = isSack;
        // Old data are answered before they come to ReceivedData.
        m_drawnBy = SequenceNumber32(0);
        m_hasDrawnLeft = false;
    }

  private:
    RfcWindow& Window_() const
    {
        return *dynamic_cast<RfcWindow*>(PeekPointer(m_congestionControl));
    }

    bool IsRecovering() const
    {
        return m_tcb->m_congState == TcpSocketState::CA_RECOVERY;
    }

    /** SND.NXT: after a timeout it goes back to what is missing. */
    SequenceNumber32 Next() const
    {
        SequenceNumber32 next;
        SequenceNumber32 end;
        const bool isBack = m_tcb->m_congState == TcpSocketState::CA_LOSS;
        return isBack && m_txBuffer->NextSeg(&next, &end, false) ? next
                                                                 : m_tcb->m_highTxMark.Get();
    }

    /**
     * RFC 5681, section 2, what limited transmit has sent left out. In a recovery the window is
     * inflated by what has left the network, and the flight with it.
     */
    double FlightSize() const
    {
        RfcWindow& window = Window_();
        const double cwnd = window.Cwnd(m_tcb);
        if (!IsRecovering())
        {
            const SequenceNumber32 head = m_txBuffer->HeadSequence();
            const SequenceNumber32 next = Next();
            return std::min<double>(next > head ? next - head : 0, cwnd);
        }
        if (m_sackEnabled)
        {
            return std::min<double>(BytesInFlight(), cwnd);
        }
        const double sent = std::min<double>(m_txBuffer->BytesInFlight(), m_inflated);
        return sent - std::max(0.0, m_inflated - window.Threshold(m_tcb));
    }

    /** RFC 5681, section 3.2, steps 3 and 4; RFC 6582, section 3.2, step 3, partial ACKs. */
    void Inflate(bool wasRecovering, uint32_t acked, bool isDuplicate)
    {
        if (!IsRecovering())
        {
            return;
        }
        const double segment = m_tcb->m_segmentSize;
        if (!wasRecovering)
        {
            m_lastRecover = m_recover;
            m_hasRecover = true;
            m_repeatedUpTo = m_txBuffer->HeadSequence() + SizeAt(m_txBuffer->HeadSequence());
            m_inflated = Window_().Threshold(m_tcb) + 3 * segment;
        }
        else if (acked > 0)
        {
            m_inflated = std::max(segment, m_inflated - acked) + (acked >= segment ? segment : 0);
        }
        else if (isDuplicate)
        {
            m_inflated += segment;
        }
    }

    /** RFC 6582, section 3.2, step 3, full ACK, option 1; RFC 6675 has none. */
    void Deflate()
    {
        RfcWindow& window = Window_();
        const double segment = m_tcb->m_segmentSize;
        const double flight = std::max<double>(window.pipe, segment);
        const double threshold = window.Threshold(m_tcb);
        window.SetCwnd(m_tcb, m_sackEnabled ? threshold : std::min(threshold, flight + segment));
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }

    /** RFC 8257, section 3.3. True: the window has been cut. */
    bool OnEcho(const SequenceNumber32& ack, uint32_t acked)
    {
        m_bytesAcked += acked;
        m_bytesMarked += m_hasEcho ? acked : 0;
        if (ack > m_windowEnd)
        {
            const double marked = m_bytesAcked > 0 ? m_bytesMarked / m_bytesAcked : 0;
            m_alpha = m_alpha * (1 - 1.0 / 16) + marked / 16;
            m_bytesAcked = m_bytesMarked = 0;
            m_windowEnd = Next();
        }
        if (!m_hasEcho || ack <= m_reducedUpTo || IsRecovering())
        {
            return false;
        }
        RfcWindow& window = Window_();
        const double cut = window.Cwnd(m_tcb) * (1 - m_alpha / 2);
        window.SetThreshold(m_tcb, std::max<double>(2 * m_tcb->m_segmentSize, cut));
        window.SetCwnd(m_tcb, window.Threshold(m_tcb));
        m_reducedUpTo = Next();
        return true;
    }

    /** Section 5, steps 2 and 4; at once, too, if the ACK that ends a recovery tells of more. */
    void BeginIfLost(const SequenceNumber32& ack, uint32_t delivered)
    {
        const bool isOpen = m_tcb->m_congState == TcpSocketState::CA_OPEN ||
                            m_tcb->m_congState == TcpSocketState::CA_DISORDER;
        if (!m_sackEnabled || !Mends("next-seg") || !isOpen || LostBelow() <= ack)
        {
            return;
        }
        Window_().flight = FlightSize();
        m_isBeginning = true;
        EnterRecovery(delivered);
        m_isBeginning = false;
        Inflate(false, 0, true);
    }

    uint32_t SizeAt(const SequenceNumber32& seq) const
    {
        return std::min(m_tcb->m_segmentSize, m_txBuffer->SizeFromSequence(seq));
    }

    /** RFC 6675, section 4, Update. */
    void Report(const TcpHeader& header)
    {
        m_sacked.erase(m_sacked.begin(), m_sacked.lower_bound(header.GetAckNumber()));
        if (!header.HasOption(TcpOption::SACK))
        {
            return;
        }
        auto option = DynamicCast<const TcpOptionSack>(header.GetOption(TcpOption::SACK));
        for (const auto& [first, end] : option->GetSackList())
        {
            for (SequenceNumber32 seq = first; seq < end; seq += m_tcb->m_segmentSize)
            {
                if (seq >= header.GetAckNumber())
                {
                    m_sacked.insert(seq);
                }
            }
        }
    }

    /** IsLost: what has not come below this. */
    SequenceNumber32 LostBelow() const
    {
        return m_sacked.size() < 3 ? SequenceNumber32(0) : *std::next(m_sacked.rbegin(), 2);
    }

    /** Bytes below `end` that are not known to have come. */
    uint32_t Missing(const SequenceNumber32& end) const
    {
        const SequenceNumber32 head = m_txBuffer->HeadSequence();
        uint32_t bytes = end > head ? end - head : 0;
        for (auto i = m_sacked.begin(); i != m_sacked.end() && *i < end; ++i)
        {
            bytes -= SizeAt(*i);
        }
        return bytes;
    }

    /** SetPipe. */
    uint32_t Pipe() const
    {
        const uint32_t sent = Missing(Next());
        return IsRecovering() ? sent + Missing(m_repeatedUpTo) - Missing(LostBelow()) : sent;
    }

    /** NextSeg; 0: nothing. */
    SequenceNumber32 NextSeg(bool* isRescue) const
    {
        *isRescue = false;
        const SequenceNumber32 head = m_txBuffer->HeadSequence();
        SequenceNumber32 again = std::max(m_repeatedUpTo, head);
        while (m_sacked.count(again) > 0)
        {
            again += SizeAt(again);
        }
        if (again < LostBelow())
        {
            return again;
        }
        const SequenceNumber32 high = m_tcb->m_highTxMark;
        if (m_txBuffer->SizeFromSequence(high) > 0)
        {
            return high;
        }
        const bool hasSacked = !m_sacked.empty();
        if (hasSacked && again < *m_sacked.rbegin())
        {
            return again;
        }
        // Rule 4, once all that this recovery has repeated is acknowledged.
        const uint32_t segment = m_tcb->m_segmentSize;
        const SequenceNumber32 last = high - ((high.GetValue() - 2) % segment + 1);
        *isRescue = head >= m_repeatedUpTo && (!m_hasRescued || head > m_rescueRxt) &&
                    last >= head && !(hasSacked && last <= *m_sacked.rbegin());
        return *isRescue ? last : SequenceNumber32(0);
    }

    /** Section 5, step C. */
    void SendByScoreboard()
    {
        if (!m_sackEnabled || !Mends("next-seg"))
        {
            return;
        }
        m_isOurTurn = true;
        bool isRescue;
        while (IsRecovering() && AvailableWindow() >= m_tcb->m_segmentSize)
        {
            const SequenceNumber32 seq = NextSeg(&isRescue);
            if (seq.GetValue() == 0)
            {
                break;
            }
            const SequenceNumber32 repeatedUpTo = m_repeatedUpTo;
            SendDataPacket(seq, SizeAt(seq), m_connected);
            if (isRescue)
            {
                m_repeatedUpTo = repeatedUpTo;
                m_rescueRxt = m_recover;
                m_hasRescued = true;
            }
        }
        m_isOurTurn = false;
    }

    /** RFC 6298, section 2. */
    Time Rto() const
    {
        return Max(PicoSeconds(int64_t(std::ceil(m_srtt + 4 * m_rttvar))), m_minRto);
    }

    /** Not before the first packet: what listens hands its traces down to those it forks. */
    void Tag_()
    {
        if (!m_isTagging)
        {
            TraceConnectWithoutContext("Tx", MakeCallback(&RfcSocket::OnTx, this));
            m_isTagging = true;
        }
    }

    void OnTx(Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>)
    {
        if (packet->GetSize() > 0)
        {
            if (m_isAgain)
            {
                packet->AddPacketTag(AgainTag());
            }
            return;
        }
        if (m_hasDrawnLeft)
        {
            packet->AddPacketTag(LeftTag(m_drawnLeft, 0));
        }
        if (!m_tellsByTag)
        {
            return;
        }
        // RFC 2018, section 4: the block with the packet that drew this ACK.
        for (const auto& [first, end] : m_tcb->m_rxBuffer->GetSackList())
        {
            if (first <= m_drawnBy && m_drawnBy < end)
            {
                packet->AddPacketTag(SackTag(first.GetValue(), end.GetValue()));
                return;
            }
        }
    }

    static constexpr uint32_t MANY = 1u << 30;
    uint32_t m_repeatsLeft = MANY;
    double m_inflated = 0;
    uint32_t m_timeouts = 0;
    bool m_hasRecover = false;
    SequenceNumber32 m_lastRecover{0};
    bool m_isDeaf = false;
    // Round trips.
    double m_srtt = 0;
    double m_rttvar = 0;
    bool m_hasSent = false;
    bool m_isAgain = false;
    bool m_hasLeft = false;
    uint64_t m_left = 0;
    bool m_hasDrawnLeft = false;
    uint64_t m_drawnLeft = 0;
    // SACK.
    bool m_isTagging = false;
    bool m_tellsByTag = false;
    SequenceNumber32 m_drawnBy{0};
    std::set<SequenceNumber32> m_sacked;
    bool m_isBeginning = false;
    bool m_isOurTurn = false;
    /** HighRxt: the end of the highest that was repeated in this recovery. */
    SequenceNumber32 m_repeatedUpTo{0};
    SequenceNumber32 m_rescueRxt{0};
    bool m_hasRescued = false;
    // DCTCP.
    bool m_hasEcho = false;
    double m_alpha = 1;
    double m_bytesAcked = 0;
    double m_bytesMarked = 0;
    SequenceNumber32 m_windowEnd{0};
    SequenceNumber32 m_reducedUpTo{0};
};

// ---- The queue ------------------------------------------------------------------------------

class WholeQueue : public DropTailQueue<Packet>
{
  public:
    uint64_t limit = 0;
    /** 0: no marks. */
    uint64_t mark = 0;
    uint64_t marks = 0;
    DataRate rate;

    static TypeId GetTypeId()
    {
        static TypeId id =
            TypeId("WholeQueue").SetParent<DropTailQueue<Packet>>().AddConstructor<WholeQueue>();
        return id;
    }

    bool Enqueue(Ptr<Packet> packet) override
    {
        const uint64_t held = GetNBytes() + (Simulator::Now() < m_free ? m_busyBytes : 0);
        if (held + packet->GetSize() > limit)
        {
            DropBeforeEnqueue(packet);
            return false;
        }
        if (mark > 0 && held > mark)
        {
            Mark(packet);
        }
        return DropTailQueue<Packet>::Enqueue(packet);
    }

    Ptr<Packet> Dequeue() override
    {
        Ptr<Packet> packet = DropTailQueue<Packet>::Dequeue();
        if (packet)
        {
            m_busyBytes = packet->GetSize();
            m_free = Simulator::Now() + rate.CalculateBytesTxTime(m_busyBytes);
        }
        return packet;
    }

  private:
    void Mark(Ptr<Packet> packet)
    {
        PppHeader ppp;
        Ipv4Header ip;
        packet->RemoveHeader(ppp);
        packet->RemoveHeader(ip);
        if (ip.GetEcn() != Ipv4Header::ECN_NotECT)
        {
            ip.SetEcn(Ipv4Header::ECN_CE);
            marks++;
        }
        packet->AddHeader(ip);
        packet->AddHeader(ppp);
    }

    uint32_t m_busyBytes = 0;
    Time m_free;
};

NS_OBJECT_ENSURE_REGISTERED(WholeQueue);

// ---- The link -------------------------------------------------------------------------------

/** Arrivals wait until all else of their picosecond has happened, and then go in order. */
class OrderedChannel : public PointToPointChannel
{
  public:
    uint32_t number = 0;
    Time delay;

    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("OrderedChannel")
                               .SetParent<PointToPointChannel>()
                               .AddConstructor<OrderedChannel>();
        return id;
    }

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> from,
                       Time duration) override
    {
        Ptr<PointToPointNetDevice> to = GetPointToPointDevice(0);
        if (to == from)
        {
            to = GetPointToPointDevice(1);
        }
        Simulator::ScheduleWithContext(to->GetNode()->GetId(),
                                       duration + delay,
                                       &OrderedChannel::Arrive,
                                       number,
                                       to,
                                       packet->Copy());
        return true;
    }

  private:
    /** Of one node, by link. */
    using Arrivals = std::map<uint32_t, std::pair<Ptr<PointToPointNetDevice>, Ptr<Packet>>>;

    static Arrivals& Waiting(uint32_t node)
    {
        static std::map<uint32_t, Arrivals> waiting;
        return waiting[node];
    }

    static void Arrive(uint32_t link, Ptr<PointToPointNetDevice> to, Ptr<Packet> packet)
    {
        const uint32_t node = to->GetNode()->GetId();
        if (Waiting(node).empty())
        {
            Simulator::ScheduleNow(&OrderedChannel::TakeAll, node);
        }
        Waiting(node)[link] = {to, packet};
    }

    static void TakeAll(uint32_t node)
    {
        const Arrivals arrivals = std::move(Waiting(node));
        Waiting(node).clear();
        for (const auto& [link, arrival] : arrivals)
        {
            arrival.first->Receive(arrival.second);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(OrderedChannel);

} // namespace ns3
