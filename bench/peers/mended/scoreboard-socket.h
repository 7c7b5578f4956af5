/** What the sender knows to have come, mended: see mends.h. */
#pragma once
#include "telling-socket.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace ns3
{

/** RFC 6675, section 4. ns-3's own scoreboard goes on beside it. */
class ScoreboardSocket : public TellingSocket
{
  protected:
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

    /** HighRxt: the end of the highest that was repeated in this recovery. */
    SequenceNumber32 m_repeatedUpTo{0};
    SequenceNumber32 m_rescueRxt{0};
    bool m_hasRescued = false;

  private:
    std::set<SequenceNumber32> m_sacked;
};

} // namespace ns3
