/** The sender, mended: see mends.h. */
#pragma once
#include "scoreboard-socket.h"
#include "window.h"

#include <algorithm>

namespace ns3
{

class RfcSocket : public ScoreboardSocket
{
  public:
    Ptr<TcpSocketBase> Fork() override
    {
        return CopyObject<RfcSocket>(this);
    }

  protected:
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override
    {
        TcpHeader heard = WithBlock(packet, header);
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
        const bool isBoth = m_sackEnabled && isDuplicate && acked > 0 && !wasRecovering;
        if (isBoth && Mends("growth") && m_tcb->m_congState == TcpSocketState::CA_DISORDER)
        {
            window.Grow(m_tcb);
            NewAck(ack, true);
        }
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
        const bool isAgain = seq < m_tcb->m_highTxMark;
        if (isAgain)
        {
            m_repeatedUpTo = seq + SizeAt(seq);
        }
        OnSending(isAgain);
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

  private:
    RfcWindow& Window_() const
    {
        return *dynamic_cast<RfcWindow*>(PeekPointer(m_congestionControl));
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

    static constexpr uint32_t MANY = 1u << 30;
    /** Of one ACK: packets that it may repeat; its first is the first that is missing. */
    uint32_t m_repeatsLeft = MANY;
    bool m_isBeginning = false;
    bool m_isOurTurn = false;
    double m_inflated = 0;
    uint32_t m_timeouts = 0;
    bool m_hasRecover = false;
    SequenceNumber32 m_lastRecover{0};
    // DCTCP.
    bool m_hasEcho = false;
    double m_alpha = 1;
    double m_bytesAcked = 0;
    double m_bytesMarked = 0;
    SequenceNumber32 m_windowEnd{1}; // SND.UNA: the SYN has number 0.
    SequenceNumber32 m_reducedUpTo{0};
};

} // namespace ns3
